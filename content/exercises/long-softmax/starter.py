"""long-softmax: the softmax of rows that do not fit one block.

Formula
    m[r]      = max over c of x[r, c]
    s[r]      = sum over c of exp(x[r, c] - m[r])
    out[r, c] = exp(x[r, c] - m[r]) / s[r]
                                       for 0 <= r < rows and 0 <= c < n

Arguments
    x     float32 or float16, rows x n
    out   of the same type and shape: write the softmax here

You may assume
    rows and n are 1 or more. n may be far above BLOCK, below it, and no
    multiple of it.
    The elements of a row are neighbours, in x and in out. Rows may lie
    apart: x.stride(0) and out.stride(0) may be more than n, and need not
    be the same.
    Offsets fit in int32.
    Every x is finite. Some are so large that exp(x) is infinite, and a row
    may be large and negative from end to end.

Not allowed
    Computing with PyTorch, or more than one kernel launch. A block must not
    grow with n: a row of millions of elements has to work, too. So no
    constexpr may be above 65,536.
    Going over the row more than twice is not wrong; a third pass only
    costs time.

Picture
    BLOCK = 4, one row of 10 elements, first pass

    block             2  1  4  1    3  5  0  2    1  2  .  .
    biggest     -inf           4             5             5
    total          0        1.23          1.65          1.71
                               the old total counts exp(-1) times
                               once the maximum grew from 4 to 5

    The second pass loads each block again, and writes it.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr):
    # First pass over the row: the maximum so far, and the sum of
    # exponentials so far, which was taken with an older maximum.
    # Second pass: the result, block by block.
    pass


def long_softmax(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the softmax of each row of x."""
    rows, n = x.shape
    BLOCK = 1024
    softmax_kernel[(rows,)](x, out, x.stride(0), out.stride(0), n, BLOCK=BLOCK)
