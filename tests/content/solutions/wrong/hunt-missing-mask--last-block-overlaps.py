"""hunt-missing-mask, last block overlaps.

Fails for every n above 1024 that is no multiple of it: the last block is
moved back to end with x, and what it shares with the block before is
scaled twice.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    start = tl.maximum(tl.minimum(tl.program_id(0) * BLOCK, n - BLOCK), 0)
    i = start + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    tl.store(x_ptr + i, x * factor, mask=i < n)


def scale_in_place(x: torch.Tensor, factor: float) -> None:
    """Multiply every element of x by `factor`."""
    n = x.numel()
    BLOCK = 1024
    scale_kernel[(triton.cdiv(n, BLOCK),)](x, n, factor, BLOCK=BLOCK)
