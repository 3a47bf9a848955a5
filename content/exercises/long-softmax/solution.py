"""A program for each row: one pass finds maximum and sum together, a second one writes."""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    x_ptr += row * x_stride
    out_ptr += row * out_stride
    biggest = float("-inf")
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + i, mask=i < n, other=float("-inf"), eviction_policy="evict_last")
        x = x.to(tl.float32)
        before = biggest
        biggest = tl.maximum(before, tl.max(x, axis=0))
        total = total * tl.exp(before - biggest) + tl.sum(tl.exp(x - biggest), axis=0)
    share = 1.0 / total
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + i, mask=i < n, other=0.0, eviction_policy="evict_first")
        out = tl.exp(x.to(tl.float32) - biggest) * share
        tl.store(out_ptr + i, out, mask=i < n)


def long_softmax(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the softmax of each row of x."""
    rows, n = x.shape
    BLOCK, num_warps = (8192, 8) if n >= 8192 else (1024, 4)
    softmax_kernel[(rows,)](x, out, x.stride(0), out.stride(0), n, BLOCK=BLOCK, num_warps=num_warps)
