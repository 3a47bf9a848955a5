"""hunt-padded-variance, welford.

Count, mean and sum of squared differences are merged pair by pair in one
reduction; a masked lane counts 0 elements. All elements are taken from the
row's first one on, so that a large mean costs no digits.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def merge(a_count, a_mean, a_squares, b_count, b_mean, b_squares):
    count = a_count + b_count
    share = tl.where(count > 0.0, b_count / tl.maximum(count, 1.0), 0.0)
    step = b_mean - a_mean
    mean = a_mean + step * share
    return count, mean, a_squares + b_squares + step * a_count * share * step


@triton.jit
def layer_norm_kernel(
    x_ptr, weight_ptr, bias_ptr, out_ptr, x_stride, out_stride, n, eps, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    inside = i < n
    first = tl.load(x_ptr + row * x_stride).to(tl.float32)
    x = tl.load(x_ptr + row * x_stride + i, mask=inside, other=0.0).to(tl.float32) - first
    count, mean, squares = tl.reduce((inside.to(tl.float32), x, tl.zeros_like(x)), 0, merge)
    weight = tl.load(weight_ptr + i, mask=inside).to(tl.float32)
    bias = tl.load(bias_ptr + i, mask=inside).to(tl.float32)
    out = (x - mean) / tl.sqrt(squares / count + eps) * weight + bias
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
