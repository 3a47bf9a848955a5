"""hunt-arange: find out why a kernel knows only some widths.

Formula
    out[i, j] = x[i, j] * w[j]      for 0 <= i < M and 0 <= j < N

Arguments
    x     float32 or float16, M x N, contiguous
    w     of the same type, N elements, contiguous: a factor a column
    out   of the same type, M x N, contiguous: write the products here

You may assume
    M is 1 or more, N is between 1 and 4096; M * N is below 2**31.
    All three tensors lie on one device.

What is reported
    "It has worked for months, for rows of 64, 128 and 256. Now our rows
    have 96 elements, and the call raises an error before anything is
    written. The number of rows makes no difference."

Not allowed
    Multiplying with PyTorch, or more than one kernel launch.

Picture
    M = 3: a program for each row

    program 0     x[0, 0] ... x[0, N-1]     times w[0] ... w[N-1]
    program 1     x[1, 0] ... x[1, N-1]     times w[0] ... w[N-1]
    program 2     x[2, 0] ... x[2, N-1]     times w[0] ... w[N-1]
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_columns_kernel(x_ptr, w_ptr, out_ptr, N: tl.constexpr):
    j = tl.arange(0, N)
    offsets = tl.program_id(0) * N + j
    x = tl.load(x_ptr + offsets)
    w = tl.load(w_ptr + j)
    tl.store(out_ptr + offsets, x * w)


def scale_columns(
    x: torch.Tensor,
    w: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with the columns of x, each times its factor."""
    M, N = x.shape
    scale_columns_kernel[(M,)](x, w, out, N)
