"""rms-norm: divide each row by its root mean square, times a weight.

Formula
    q[r]      = (x[r, 0]^2 + ... + x[r, n - 1]^2) / n
    out[r, c] = x[r, c] / sqrt(q[r] + eps) * weight[c]
                                       for 0 <= r < rows and 0 <= c < n

Arguments
    x       float32, float16 or bfloat16, rows x n
    weight  of the same type, n elements, contiguous
    out     of the same type and shape as x: write the result here
    eps     a number above 0, passed by name

You may assume
    rows is 1 or more. n is from 1 to 16,384 and need not be a power of two.
    The elements of a row are neighbours, in x and in out. Rows may lie
    apart: x.stride(0) and out.stride(0) may be more than n, and need not
    be the same.
    Offsets fit in int32.
    Every value is finite. In float16 the square of an x, the sum of
    squares, or an x times its weight may be more than float16 can hold;
    compute in float32.

Not allowed
    Computing with PyTorch, or more than one kernel launch.

Picture
    n = 3, BLOCK = 4, weight 1, eps = 0, one row: one program

    x         1.0    2.0    2.0     .
    squares   1.0    4.0    4.0     0        sum 9, mean 3, root 1.73
    out       0.58   1.15   1.15             three are stored
"""

import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, weight_ptr, out_ptr, x_stride, out_stride, n, eps, BLOCK: tl.constexpr):
    # One program owns one row: load it and the weight, normalise, store.
    pass


def rms_norm(x: torch.Tensor, weight: torch.Tensor, out: torch.Tensor, eps: float) -> None:
    """Fill `out` with x * rsqrt(mean(x * x) + eps) * weight, row by row."""
    # Choose BLOCK so that a row fits, and launch a program for each row.
