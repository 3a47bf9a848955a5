"""hunt-padded-variance, eps outside the root.

Fails where eps is not small against the variance: eps is added to the
root, not under it.
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
    centred = tl.where(inside, x - mean, 0.0)
    deviation = tl.sqrt(tl.sum(centred * centred, axis=0) / n)
    weight = tl.load(weight_ptr + i, mask=inside).to(tl.float32)
    bias = tl.load(bias_ptr + i, mask=inside).to(tl.float32)
    out = centred / (deviation + eps) * weight + bias
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
