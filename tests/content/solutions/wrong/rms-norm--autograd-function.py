"""rms-norm, autograd function.

Breaks the rule against computing with PyTorch: a custom autograd function
takes the root mean squares, and the kernel multiplies by them.
"""

import torch
import triton
import triton.language as tl


class Scale(torch.autograd.Function):
    @staticmethod
    def forward(ctx, x, eps):
        return x.float().square().mean(dim=1).add(eps).rsqrt()

    @staticmethod
    def backward(ctx, gradient):
        raise NotImplementedError


@triton.jit
def scale_kernel(
    x_ptr, weight_ptr, scale_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr
):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * x_stride + i, mask=i < n).to(tl.float32)
    weight = tl.load(weight_ptr + i, mask=i < n).to(tl.float32)
    scale = tl.load(scale_ptr + row)
    tl.store(out_ptr + row * out_stride + i, x * scale * weight, mask=i < n)


def rms_norm(x: torch.Tensor, weight: torch.Tensor, out: torch.Tensor, eps: float) -> None:
    """Fill `out` with x * rsqrt(mean(x * x) + eps) * weight, row by row."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    scale = Scale.apply(x, eps)
    scale_kernel[(rows,)](x, weight, scale, out, x.stride(0), out.stride(0), n, BLOCK=BLOCK)
