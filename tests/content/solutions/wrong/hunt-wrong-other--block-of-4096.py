"""hunt-wrong-other, block of 4096.

Fails for n above 4096: a fixed block covers rows of the size that was
tried, and n may be up to 16,384.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def max_kernel(x_ptr, out_ptr, row_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * row_stride + i, mask=i < n, other=float("-inf"))
    tl.store(out_ptr + row, tl.max(x, axis=0))


def row_max(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the largest element of each row of x."""
    rows, n = x.shape
    max_kernel[(rows,)](x, out, x.stride(0), n, BLOCK=4096)
