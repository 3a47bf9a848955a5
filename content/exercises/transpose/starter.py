"""transpose: write the transpose of a matrix, tile by tile.

Formula
    out[j, i] = x[i, j]         for 0 <= i < M and 0 <= j < N

Arguments
    x     float32 or float16, M x N, contiguous
    out   of the same type, N x M, contiguous: write the transpose here

You may assume
    M and N are between 1 and 65,536 and need not be multiples of the
    tile's sides; the matrices have fewer than 2**31 elements.
    x may hold infinities and NaN: they are moved like any other element.
    Both tensors lie on one device.

Not allowed
    Transposing or copying with PyTorch, or more than one kernel launch.

Picture
    M = 4, N = 6, tiles of 2 x 2: what was row 0 of x is column 0 of out

          x                          out
        0  1 |  2  3 |  4  5         0  6 | 12 18
        6  7 |  8  9 | 10 11         1  7 | 13 19
       ------+-------+------        ------+------
       12 13 | 14 15 | 16 17         2  8 | 14 20
       18 19 | 20 21 | 22 23         3  9 | 15 21
                                    ------+------
                                     4 10 | 16 22
                                     5 11 | 17 23
"""

import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    # Read a tile of x. Where in out does its element [i, j] belong?
    pass


def transpose(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the transpose of x."""
    M, N = x.shape
    BLOCK = 32  # The tile is BLOCK x BLOCK.
    grid = (1, 1)  # How many tiles are there?
    transpose_kernel[grid](x, out, M, N, BLOCK=BLOCK)
