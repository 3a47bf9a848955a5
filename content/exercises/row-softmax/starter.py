"""row-softmax: the softmax of each row of a matrix, a row in one block.

Formula
    m[r]      = max over c of x[r, c]
    s[r]      = sum over c of exp(x[r, c] - m[r])
    out[r, c] = exp(x[r, c] - m[r]) / s[r]
                                       for 0 <= r < rows and 0 <= c < n

Arguments
    x     float32 or float16, rows x n
    out   of the same type and shape: write the softmax here

You may assume
    rows is 1 or more. n is from 1 to 16,384 and need not be a power of two.
    The elements of a row are neighbours, in x and in out. Rows may lie
    apart: x.stride(0) and out.stride(0) may be more than n, and need not
    be the same.
    Offsets fit in int32.
    Every x is finite. Some are so large that exp(x) is infinite, and a row
    may be large and negative from end to end.

Not allowed
    Computing with PyTorch, or more than one kernel launch.

Picture
    n = 5, BLOCK = 8, one row: one program

    x         2    1    4    1    3    .    .    .      three masked lanes
    max       4                                         over the row
    exp      .14  .05  1.0  .05  .37   0    0    0
    sum      1.6                                        over the row
    out      .08  .03  .62  .03  .22                    five are stored
"""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr):
    # One program owns one row. What must its masked lanes hold, so that
    # neither the maximum nor the sum is disturbed? Load the row, compute in
    # float32, store it.
    pass


def row_softmax(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the softmax of each row of x."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    softmax_kernel[(rows,)](x, out, x.stride(0), out.stride(0), n, BLOCK=BLOCK)
