"""vector-add, promised alignment.

Fails on a GPU for tensors that do not begin on a 16-byte boundary: the
kernel promises the compiler that they do, and gets loads of 16 bytes.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    start = tl.program_id(0) * BLOCK
    i = start + tl.arange(0, BLOCK)
    x_at = tl.multiple_of(x_ptr + i, 16)
    y_at = tl.multiple_of(y_ptr + i, 16)
    out_at = tl.multiple_of(out_ptr + i, 16)
    if start + BLOCK <= n:
        tl.store(out_at, tl.load(x_at) + tl.load(y_at))
    else:
        x = tl.load(x_at, mask=i < n)
        y = tl.load(y_at, mask=i < n)
        tl.store(out_at, x + y, mask=i < n)


def vector_add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x + y."""
    n = out.numel()
    BLOCK = 1024
    add_kernel[(triton.cdiv(n, BLOCK),)](x, y, out, n, BLOCK=BLOCK)
