"""long-softmax, three passes.

A pass for the maximum, one for the sum, one that stores; the second and
the third go over the row from its end, and powers are those of 2.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def load_block(x_ptr, start, n, BLOCK: tl.constexpr):
    i = start + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=float("-inf"))
    return x.to(tl.float32)


@triton.jit
def softmax_kernel(x_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr):
    LOG2_E: tl.constexpr = 1.4426950408889634
    row = tl.program_id(0)
    x_ptr += row * x_stride
    out_ptr += row * out_stride
    blocks = tl.cdiv(n, BLOCK)
    biggest = tl.max(load_block(x_ptr, 0, n, BLOCK), axis=0)
    for block in range(1, blocks):
        biggest = tl.maximum(biggest, tl.max(load_block(x_ptr, block * BLOCK, n, BLOCK), axis=0))
    acc = tl.zeros([BLOCK], dtype=tl.float32)
    for turn in range(blocks):
        start = (blocks - 1 - turn) * BLOCK
        acc += tl.exp2((load_block(x_ptr, start, n, BLOCK) - biggest) * LOG2_E)
    total = tl.sum(acc, axis=0)
    for turn in range(blocks):
        start = (blocks - 1 - turn) * BLOCK
        i = start + tl.arange(0, BLOCK)
        power = tl.exp2((load_block(x_ptr, start, n, BLOCK) - biggest) * LOG2_E)
        tl.store(out_ptr + i, power / total, mask=i < n)


def long_softmax(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the softmax of each row of x."""
    rows, n = x.shape
    softmax_kernel[(rows,)](x, out, x.stride(0), out.stride(0), n, BLOCK=256)
