"""hunt-missing-mask, writes back outside.

Fails for every n that is no multiple of 1024: the lanes past x load the
neighbour's numbers and store them again unchanged. No memory outside of x
may be read or written.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(x_ptr + i, tl.where(i < n, x * factor, x))


def scale_in_place(x: torch.Tensor, factor: float) -> None:
    """Multiply every element of x by `factor`."""
    n = x.numel()
    BLOCK = 1024
    scale_kernel[(triton.cdiv(n, BLOCK),)](x, n, factor, BLOCK=BLOCK)
