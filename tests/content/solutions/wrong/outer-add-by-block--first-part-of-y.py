"""outer-add-by-block, first part of y.

Fails for N above 64: the columns of out are numbered for each tile, but y
is always read from its beginning.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def outer_add_kernel(
    x_ptr,
    y_ptr,
    out_ptr,
    M,
    N,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    i = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    x = tl.load(x_ptr + i, mask=i < M)
    y = tl.load(y_ptr + tl.arange(0, BLOCK_N), mask=j < N)
    inside = (i[:, None] < M) & (j[None, :] < N)
    tl.store(out_ptr + i[:, None] * N + j[None, :], x[:, None] + y[None, :], mask=inside)


def outer_add_by_block(
    x: torch.Tensor,
    y: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with x[i] + y[j]."""
    M, N = out.shape
    BLOCK_M = 32
    BLOCK_N = 64
    grid = (triton.cdiv(M, BLOCK_M), triton.cdiv(N, BLOCK_N))
    outer_add_kernel[grid](x, y, out, M, N, BLOCK_M, BLOCK_N)
