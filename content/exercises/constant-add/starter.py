"""constant-add: add a constant to a short vector, in one program.

Formula
    out[i] = x[i] + c           for 0 <= i < n

Arguments
    x     float32, n elements, contiguous
    out   float32, n elements, contiguous: write the result here
    c     a number, the same for all elements

You may assume
    n is 1 or more and at most 4096, so one block can hold the vector.
    BLOCK is the smallest power of two that is not below n: the host
    function computes it.
    Both tensors lie on one device.

Not allowed
    Adding with PyTorch, more than one kernel launch, or more than one
    program in it.

Picture
    n = 5, so BLOCK = 8

    lane      0     1     2     3     4     5  6  7
    x         x[0]  x[1]  x[2]  x[3]  x[4]  these lanes are masked
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_constant_kernel(x_ptr, out_ptr, n, c, BLOCK: tl.constexpr):
    # Number the elements, load them, add c, store them.
    pass


def constant_add(x: torch.Tensor, out: torch.Tensor, c: float) -> None:
    """Fill `out` with x + c."""
    n = out.numel()
    BLOCK = triton.next_power_of_2(n)
    add_constant_kernel[(1,)](x, out, n, c, BLOCK=BLOCK)
