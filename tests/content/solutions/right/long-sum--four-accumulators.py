"""long-sum, four accumulators.

A turn takes four blocks, unrolled with tl.static_range, each of which has
a mask of its own.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, row_stride, n, UNROLL: tl.constexpr, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for start in tl.range(0, n, UNROLL * BLOCK):
        turn = tl.zeros([BLOCK], dtype=tl.float32)
        for part in tl.static_range(UNROLL):
            i = start + part * BLOCK + lanes
            x = tl.load(x_ptr + row * row_stride + i, mask=i < n, other=0.0)
            turn += x.to(tl.float32)
        acc += turn
    tl.store(out_ptr + row, tl.sum(acc, axis=0))


def long_sum(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the sum of each row of x."""
    rows, n = x.shape
    sum_kernel[(rows,)](x, out, x.stride(0), n, UNROLL=4, BLOCK=256, num_warps=8)
