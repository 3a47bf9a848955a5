"""hunt-missing-mask, foreach.

Breaks the rule against scaling with PyTorch when n is no multiple of 1024:
the kernel takes the whole blocks, a foreach operation the rest.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(x_ptr + i, x * factor)


def scale_in_place(x: torch.Tensor, factor: float) -> None:
    """Multiply every element of x by `factor`."""
    BLOCK = 1024
    whole = x.numel() // BLOCK
    if whole:
        scale_kernel[(whole,)](x, factor, BLOCK=BLOCK)
    torch._foreach_mul_([x[whole * BLOCK :]], factor)
