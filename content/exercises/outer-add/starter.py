"""outer-add: add every element of one vector to every element of another.

Formula
    out[i, j] = x[i] + y[j]     for 0 <= i < M and 0 <= j < N

Arguments
    x     float32 or float16, M elements, contiguous
    y     of the same type, N elements, contiguous
    out   of the same type, M x N, contiguous: write the sums here

You may assume
    M and N are 1 or more and at most 64, so one block can hold out.
    BLOCK_M and BLOCK_N are the smallest powers of two that are not
    below M and N: the host function computes them.
    All three tensors lie on one device.

Not allowed
    Adding with PyTorch, or more than one kernel launch.

Picture
    M = 3, N = 5, so the block is 4 x 8; every . is a masked lane

               y[0] y[1] y[2] y[3] y[4]
        x[0]    +    +    +    +    +    .    .    .
        x[1]    +    +    +    +    +    .    .    .
        x[2]    +    +    +    +    +    .    .    .
                .    .    .    .    .    .    .    .

    in memory, out is one row after the other, N elements each
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
    # Load both vectors, make a 2-D block of their sums, store it.
    pass


def outer_add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x[i] + y[j]."""
    M, N = out.shape
    BLOCK_M = triton.next_power_of_2(M)
    BLOCK_N = triton.next_power_of_2(N)
    outer_add_kernel[(1,)](x, y, out, M, N, BLOCK_M, BLOCK_N)
