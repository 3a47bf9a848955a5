"""vector-add: add two vectors of any length.

Formula
    out[i] = x[i] + y[i]        for 0 <= i < n

Arguments
    x     float32 or float16, n elements, contiguous
    y     of the same type and length, contiguous
    out   of the same type and length, contiguous: write the sum here

You may assume
    n is 1 or more and below 2**31. It need not be a multiple of BLOCK.
    Tensors need not begin on a 16-byte boundary.
    All three tensors lie on one device.

Not allowed
    Adding with PyTorch, or more than one kernel launch.

Picture
    BLOCK = 4, n = 10

    x     0 1 2 3 | 4 5 6 7 | 8 9
          program 0 program 1 program 2: two lanes are masked
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    # Which elements does this program own? Load them, add, store.
    pass


def vector_add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x + y."""
    n = out.numel()
    BLOCK = 256
    add_kernel[(triton.cdiv(n, BLOCK),)](x, y, out, n, BLOCK=BLOCK)
