"""hunt-fp16-accumulator: find out why similarities are wrong in float16.

What is reported
    "We compare embeddings by their dot product, row by row. In float32
    the kernel agrees with PyTorch. Since we moved to float16 the third or
    fourth digit is off, and long rows of large numbers give inf, although
    out is float32. The inputs are not to blame: a float64 sum over the
    very same float16 numbers gives neither."

Formula
    out[r] = x[r, 0] * y[r, 0] + ... + x[r, n - 1] * y[r, n - 1]
                                                       for 0 <= r < rows

Arguments
    x     float32 or float16, rows x n, contiguous
    y     of the same type and shape, contiguous
    out   float32, rows elements, contiguous

You may assume
    rows and n are 1 or more. n may be far above BLOCK, below it, and no
    multiple of it.
    Offsets fit in int32. Every value is finite.

Not allowed
    Computing with PyTorch, or more than one kernel launch. Change what you
    like in the kernel: any kernel that is right passes.

Picture
    BLOCK = 4, n = 10, one row: each lane adds up what lies below it

    turn 0        x0*y0  x1*y1  x2*y2  x3*y3
    turn 1        x4*y4  x5*y5  x6*y6  x7*y7
    turn 2        x8*y8  x9*y9    .      .
    acc             |      |      |      |       out is the sum of acc
"""

import torch
import triton
import triton.language as tl


@triton.jit
def dot_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    acc = tl.zeros([BLOCK], dtype=x_ptr.dtype.element_ty)
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
        y = tl.load(y_ptr + row * n + i, mask=i < n, other=0.0)
        acc += x * y
    tl.store(out_ptr + row, tl.sum(acc, axis=0))


def row_dot(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the dot product of each row of x and the same row of y."""
    rows, n = x.shape
    dot_kernel[(rows,)](x, y, out, n, BLOCK=256)
