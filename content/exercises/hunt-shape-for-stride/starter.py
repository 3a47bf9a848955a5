"""hunt-shape-for-stride: find what is wrong with a kernel that adds a bias.

What is reported
    "Right for every tensor that I made for my test. Wrong in the model,
    where x is the transpose of a tensor or one third of a wide one. The
    numbers look like sums, but not of the elements that belong together.
    With x.contiguous() it is right; that copy takes as long as the sum."

Formula
    out[r, c] = x[r, c] + bias[c]      for 0 <= r < m, 0 <= c < n

Arguments
    x      float32 or float16, m by n, with any strides, 0 among them
    bias   of the same type, n elements, contiguous
    out    of the same type, m by n, with any strides: write the sum here.
           Its strides need not be those of x; no two of its elements share
           memory.

You may assume
    m and n are 1 or more, n at most 1,000,000. Neither need be a multiple
    of a block's side.
    No tensor reaches over more than 2^31 elements of memory.

Not allowed
    Copying or adding with PyTorch, or more than one kernel launch.

Picture
    m = 2, n = 3, and how x lies in memory

    contiguous            x00 x01 x02 x10 x11 x12
    a part of wider rows  x00 x01 x02  .   .  x10 x11 x12  .   .
    transposed            x00 x10 x01 x11 x02 x12
"""

import torch
import triton
import triton.language as tl


@triton.jit
def bias_kernel(
    x_ptr,
    bias_ptr,
    out_ptr,
    m,
    n,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    offsets = rows[:, None] * n + columns[None, :]
    x = tl.load(x_ptr + offsets, mask=inside)
    bias = tl.load(bias_ptr + columns, mask=columns < n)
    tl.store(out_ptr + offsets, x + bias[None, :], mask=inside)


def add_bias(x: torch.Tensor, bias: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x + bias."""
    m, n = x.shape
    BLOCK_M, BLOCK_N = 16, 128
    grid = (triton.cdiv(m, BLOCK_M), triton.cdiv(n, BLOCK_N))
    bias_kernel[grid](x, bias, out, m, n, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N)
