"""long-sum, a million at most.

Fails for n above 1,048,576: the loop ends after the million elements that
the task speaks of.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, row_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in range(0, tl.minimum(n, 1024 * 1024), BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + row * row_stride + i, mask=i < n, other=0.0)
        acc += x.to(tl.float32)
    tl.store(out_ptr + row, tl.sum(acc, axis=0))


def long_sum(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the sum of each row of x."""
    rows, n = x.shape
    sum_kernel[(rows,)](x, out, x.stride(0), n, BLOCK=4096)
