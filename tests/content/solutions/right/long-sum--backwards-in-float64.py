"""long-sum, backwards in float64.

The row is walked from its end, and summed in float64.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, row_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float64)
    end = n + 0
    while end > 0:
        i = end - 1 - lanes
        x = tl.load(x_ptr + row * row_stride + i, mask=i >= 0, other=0.0)
        acc += x.to(tl.float64)
        end -= BLOCK
    tl.store(out_ptr + row, tl.sum(acc, axis=0).to(tl.float32))


def long_sum(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the sum of each row of x."""
    rows, n = x.shape
    sum_kernel[(rows,)](x, out, x.stride(0), n, BLOCK=1024)
