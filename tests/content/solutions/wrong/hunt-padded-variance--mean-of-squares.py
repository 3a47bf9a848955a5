"""hunt-padded-variance, mean of squares.

Fails for rows whose mean is thousands of times larger than their spread:
the variance is the mean of the squares less the square of the mean, which
cancel in float32.
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
    variance = tl.abs(tl.sum(x * x, axis=0) / n - mean * mean)
    weight = tl.load(weight_ptr + i, mask=inside).to(tl.float32)
    bias = tl.load(bias_ptr + i, mask=inside).to(tl.float32)
    out = (x - mean) * tl.rsqrt(variance + eps) * weight + bias
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
