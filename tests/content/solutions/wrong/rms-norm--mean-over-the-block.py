"""rms-norm, mean over the block.

Fails when n is no power of two: the sum of squares is divided by BLOCK
instead of n.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def rms_norm_kernel(x_ptr, weight_ptr, out_ptr, x_stride, out_stride, n, eps, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * x_stride + i, mask=i < n, other=0.0).to(tl.float32)
    weight = tl.load(weight_ptr + i, mask=i < n).to(tl.float32)
    mean = tl.sum(x * x, axis=0) / BLOCK
    tl.store(out_ptr + row * out_stride + i, x * tl.rsqrt(mean + eps) * weight, mask=i < n)


def rms_norm(x: torch.Tensor, weight: torch.Tensor, out: torch.Tensor, eps: float) -> None:
    """Fill `out` with x * rsqrt(mean(x * x) + eps) * weight, row by row."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    rms_norm_kernel[(rows,)](x, weight, out, x.stride(0), out.stride(0), n, eps, BLOCK=BLOCK)
