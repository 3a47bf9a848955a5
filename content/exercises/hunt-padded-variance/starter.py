"""hunt-padded-variance: find out why a LayerNorm shrinks its output.

What is reported
    "With rows of 1,024 the kernel agrees with F.layer_norm. With rows of
    600 what comes out is too small, all elements of a row by the same
    factor, and the further the mean of the row is from 0, the smaller. We
    looked at the mean: it is right. In training the loss goes down all
    the same, only more slowly."

Formula
    mean[r]     = (x[r, 0] + ... + x[r, n - 1]) / n
    d[r, c]     = x[r, c] - mean[r]
    variance[r] = (d[r, 0]^2 + ... + d[r, n - 1]^2) / n
    out[r, c]   = d[r, c] / sqrt(variance[r] + eps) * weight[c] + bias[c]
                                       for 0 <= r < rows and 0 <= c < n

Arguments
    x       float32 or float16, rows x n
    weight  of the same type, n elements, contiguous
    bias    of the same type, n elements, contiguous
    out     of the same type and shape as x
    eps     a number above 0, passed by name

You may assume
    rows is 1 or more. n is from 1 to 16,384 and need not be a power of two.
    The elements of a row are neighbours, in x and in out. Rows may lie
    apart: x.stride(0) and out.stride(0) may be more than n, and need not
    be the same.
    Offsets fit in int32.
    Every value is finite. The mean of a row may be thousands of times
    larger than the spread of its elements.

Not allowed
    Computing with PyTorch, or more than one kernel launch. Change what you
    like in the kernel: any kernel that is right passes.

Picture
    n = 3, BLOCK = 4, one row: one program

    x          3      4      5      .       a masked lane
    mean       4
    variance   0.67                         (1 + 0 + 1) / 3
"""

import torch
import triton
import triton.language as tl


@triton.jit
def layer_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, out_ptr, x_stride, out_stride, n, eps, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < n
    x = tl.load(x_ptr + row * x_stride + i, mask=inside, other=0.0).to(tl.float32)
    mean = tl.sum(x, axis=0) / n
    centred = x - mean
    variance = tl.sum(centred * centred, axis=0) / n
    weight = tl.load(weight_ptr + i, mask=inside).to(tl.float32)
    bias = tl.load(bias_ptr + i, mask=inside).to(tl.float32)
    out = centred * tl.rsqrt(variance + eps) * weight + bias
    tl.store(out_ptr + row * out_stride + i, out, mask=inside)


def layer_norm(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, out: torch.Tensor, eps: float
) -> None:
    """Fill `out` with the LayerNorm of each row of x."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    layer_norm_kernel[(rows,)](
        x, weight, bias, out, x.stride(0), out.stride(0), n, eps, BLOCK=BLOCK
    )
