"""vector-add, x damaged and mended.

Fails for sums that round: the kernel adds y to x in place, copies the sum
to out, and takes y off again, which leaves another x than there was.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n)
    y = tl.load(y_ptr + i, mask=i < n)
    tl.store(x_ptr + i, x + y, mask=i < n)
    total = tl.load(x_ptr + i, mask=i < n)
    tl.store(out_ptr + i, total, mask=i < n)
    tl.store(x_ptr + i, total - y, mask=i < n)


def vector_add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x + y."""
    n = out.numel()
    BLOCK = 256
    add_kernel[(triton.cdiv(n, BLOCK),)](x, y, out, n, BLOCK=BLOCK)
