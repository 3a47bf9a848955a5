"""vector-add, in pairs.

Fails for every odd n above 1: a program takes pairs of neighbours, and
n // 2 pairs leave out the last element.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, pairs, BLOCK: tl.constexpr):
    pair = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None]
    i = 2 * pair + tl.arange(0, 2)[None, :]
    inside = (pair < pairs) & (i < n)
    x = tl.load(x_ptr + i, mask=inside)
    y = tl.load(y_ptr + i, mask=inside)
    tl.store(out_ptr + i, x + y, mask=inside)


def vector_add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x + y."""
    n = out.numel()
    pairs = max(1, n // 2)
    BLOCK = 128
    add_kernel[(triton.cdiv(pairs, BLOCK),)](x, y, out, n, pairs, BLOCK=BLOCK)
