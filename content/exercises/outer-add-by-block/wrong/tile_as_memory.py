"""A tile is taken to be contiguous: its rows are stored BLOCK_N apart."""

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
    row = tl.program_id(0) * BLOCK_M
    column = tl.program_id(1) * BLOCK_N
    a = tl.arange(0, BLOCK_M)
    b = tl.arange(0, BLOCK_N)
    x = tl.load(x_ptr + row + a, mask=row + a < M)
    y = tl.load(y_ptr + column + b, mask=column + b < N)
    sums = x[:, None] + y[None, :]
    offsets = row * N + column + a[:, None] * BLOCK_N + b[None, :]
    inside = (row + a < M)[:, None] & (column + b < N)[None, :]
    tl.store(out_ptr + offsets, sums, mask=inside)


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
