"""add-by-block: add a constant to a vector of any length, in blocks.

Formula
    out[i] = x[i] + c           for 0 <= i < n

Arguments
    x     float32, n elements, contiguous
    out   float32, n elements, contiguous: write the result here
    c     a number, the same for all elements

You may assume
    n is 1 or more and below 2**31. It need not be a multiple of BLOCK.
    Both tensors lie on one device.

Not allowed
    Adding with PyTorch, or more than one kernel launch.

Picture
    BLOCK = 4, n = 10: a grid of 3

    program 0        program 1        program 2
    x[0] ... x[3]    x[4] ... x[7]    x[8] x[9] and two masked lanes
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_constant_kernel(x_ptr, out_ptr, n, c, BLOCK: tl.constexpr):
    # Which elements does this program own? Load them, add c, store them.
    pass


def add_by_block(x: torch.Tensor, out: torch.Tensor, c: float) -> None:
    """Fill `out` with x + c."""
    n = out.numel()
    BLOCK = 256
    grid = (1,)  # How many programs does it take to cover n elements?
    add_constant_kernel[grid](x, out, n, c, BLOCK=BLOCK)
