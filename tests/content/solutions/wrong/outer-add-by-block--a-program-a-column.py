"""outer-add-by-block, a program a column.

Fails on a GPU for N = 65,536: the grid's second side is N, and CUDA allows
65,535 there.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def outer_add_kernel(x_ptr, y_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr):
    i = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(1)
    x = tl.load(x_ptr + i, mask=i < M)
    y = tl.load(y_ptr + j)
    tl.store(out_ptr + i * N + j, x + y, mask=i < M)


def outer_add_by_block(
    x: torch.Tensor,
    y: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with x[i] + y[j]."""
    M, N = out.shape
    BLOCK_M = 256
    outer_add_kernel[(triton.cdiv(M, BLOCK_M), N)](x, y, out, M, N, BLOCK_M)
