"""row-softmax, merged in one reduction.

Maximum and sum come from a single reduction over pairs of them.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def merge(a_max, a_sum, b_max, b_sum):
    top = tl.maximum(a_max, b_max)
    return top, a_sum * tl.exp(a_max - top) + b_sum * tl.exp(b_max - top)


@triton.jit
def softmax_kernel(x_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    clamped = tl.minimum(i, n - 1)
    x = tl.load(x_ptr + row * x_stride + clamped).to(tl.float32)
    top, total = tl.reduce((x, tl.where(i < n, 1.0, 0.0)), 0, merge)
    out = tl.exp(x - top) / total
    tl.store(out_ptr + row * out_stride + i, out, mask=i < n)


def row_softmax(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the softmax of each row of x."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    softmax_kernel[(rows,)](x, out, x.stride(0), out.stride(0), n, BLOCK=BLOCK)
