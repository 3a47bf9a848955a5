"""vector-add, whole blocks unmasked.

The whole blocks go without a mask, and only the last program has one. The
sum is x less the negative of y.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def sum_of(a, b):
    return a - (-b)


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    i = start + tl.arange(0, BLOCK)
    if n - start >= BLOCK:
        tl.store(out_ptr + i, sum_of(tl.load(x_ptr + i), tl.load(y_ptr + i)))
    else:
        x = tl.load(x_ptr + i, mask=i < n)
        y = tl.load(y_ptr + i, mask=i < n)
        tl.store(out_ptr + i, sum_of(x, y), mask=i < n)


def vector_add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x + y."""
    n = out.numel()
    BLOCK = 256
    add_kernel[(triton.cdiv(n, BLOCK),)](x, y, out, n, BLOCK=BLOCK)
