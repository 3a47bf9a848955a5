"""long-softmax, a maximum for each lane.

Every lane keeps a maximum and a total of its own; they are brought
together once, after the first pass.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    biggest = tl.full([BLOCK], float("-inf"), tl.float32)
    totals = tl.zeros([BLOCK], tl.float32)
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + row * x_stride + i, mask=i < n, other=0.0).to(tl.float32)
        new = tl.where(i < n, tl.maximum(biggest, x), biggest)
        # A lane without an element keeps its total: -inf - -inf is not a number.
        grown = totals * tl.exp(biggest - new) + tl.exp(x - new)
        totals = tl.where(i < n, grown, totals)
        biggest = new
    top = tl.max(tl.where(lanes < n, biggest, float("-inf")), axis=0)
    total = tl.sum(tl.where(lanes < n, totals * tl.exp(biggest - top), 0.0), axis=0)
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + row * x_stride + i, mask=i < n, other=0.0).to(tl.float32)
        tl.store(out_ptr + row * out_stride + i, tl.exp(x - top) / total, mask=i < n)


def long_softmax(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the softmax of each row of x."""
    rows, n = x.shape
    softmax_kernel[(rows,)](x, out, x.stride(0), out.stride(0), n, BLOCK=512)
