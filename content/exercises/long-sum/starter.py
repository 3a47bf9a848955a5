"""long-sum: add up each row of a matrix whose rows are longer than a block.

Formula
    out[r] = x[r, 0] + x[r, 1] + ... + x[r, n - 1]      for 0 <= r < rows

Arguments
    x     float32 or float16, rows x n
    out   float32, rows elements, contiguous: write the sums here

You may assume
    rows and n are 1 or more. n may be far above BLOCK, below it, and no
    multiple of it.
    The elements of a row are neighbours: x.stride(1) is 1. Rows may lie
    apart: x.stride(0) may be more than n. What lies between two rows is
    not yours to read.
    Row r begins r * x.stride(0) elements after x; that fits in int32.
    A float16 sum can pass 65,504, the largest float16. out can hold it.

Not allowed
    Adding with PyTorch, or more than one kernel launch. A block must not
    grow with n: a row of millions of elements has to work, too. So no
    constexpr may be above 65,536.

Picture
    BLOCK = 4, n = 10, one row: one program, three turns of its loop

    turn 0          turn 1          turn 2
    x0 x1 x2 x3     x4 x5 x6 x7     x8 x9 .  .      two lanes are masked
"""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_kernel(x_ptr, out_ptr, row_stride, n, BLOCK: tl.constexpr):
    # One program owns one row. Walk along it, a block each turn, and keep
    # what is to be added up. Then write one number for the row.
    pass


def long_sum(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the sum of each row of x."""
    rows, n = x.shape
    BLOCK = 1024
    sum_kernel[(rows,)](x, out, x.stride(0), n, BLOCK=BLOCK)
