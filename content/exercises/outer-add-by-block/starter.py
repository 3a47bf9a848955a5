"""outer-add-by-block: the outer sum of two vectors of any length, in tiles.

Formula
    out[i, j] = x[i] + y[j]     for 0 <= i < M and 0 <= j < N

Arguments
    x     float32 or float16, M elements, contiguous
    y     of the same type, N elements, contiguous
    out   of the same type, M x N, contiguous: write the sums here

You may assume
    M and N are between 1 and 65,536 and need not be multiples of the
    tile's sides; out has fewer than 2**31 elements.
    All three tensors lie on one device.

Not allowed
    Adding with PyTorch, or more than one kernel launch.

Picture
    M = 5, N = 10, tiles of 4 x 4: six programs, one for each letter;
    every . is a masked lane

                    y[0]      y[4]      y[8]
             x[0]   a a a a   b b b b   c c . .
                    a a a a   b b b b   c c . .
                    a a a a   b b b b   c c . .
                    a a a a   b b b b   c c . .

             x[4]   d d d d   e e e e   f f . .
                    . . . .   . . . .   . . . .
                    . . . .   . . . .   . . . .
                    . . . .   . . . .   . . . .
"""

import torch
import triton
import triton.language as tl


@triton.jit
def outer_add_kernel(
    x_ptr,
    y_ptr,
    out_ptr,
    M,
    N,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    # Which rows and which columns does this program own?
    pass


def outer_add_by_block(
    x: torch.Tensor,
    y: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with x[i] + y[j]."""
    M, N = out.shape
    BLOCK_M = 32
    BLOCK_N = 64
    grid = (1, 1)  # How many tiles lie in each direction?
    outer_add_kernel[grid](x, y, out, M, N, BLOCK_M, BLOCK_N)
