"""hunt-missing-mask, rounds up by hand.

Fails when n is a multiple of 1024 plus 1, or n is 1: 1 / 1024 + 0.999 is
below 1, so the last element has no program.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(x_ptr + i, x * factor, mask=i < n)


def scale_in_place(x: torch.Tensor, factor: float) -> None:
    """Multiply every element of x by `factor`."""
    n = x.numel()
    BLOCK = 1024
    programs = int(n / BLOCK + 0.999)
    if programs > 0:
        scale_kernel[(programs,)](x, n, factor, BLOCK=BLOCK)
