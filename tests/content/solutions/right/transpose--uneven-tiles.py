"""transpose, uneven tiles.

Tiles of 16 x 64, turned by tl.permute, on a grid whose first side runs
along the columns of x.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, out_ptr, M, N, BLOCK_M: tl.constexpr, BLOCK_N: tl.constexpr):
    i = tl.program_id(1) * BLOCK_M + tl.arange(0, BLOCK_M)
    j = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    x_inside = (i < M)[:, None] & (j < N)[None, :]
    tile = tl.load(x_ptr + i[:, None] * N + j[None, :], mask=x_inside)
    out_inside = (j < N)[:, None] & (i < M)[None, :]
    tl.store(out_ptr + j[:, None] * M + i[None, :], tl.permute(tile, (1, 0)), mask=out_inside)


def transpose(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the transpose of x."""
    M, N = x.shape
    BLOCK_M, BLOCK_N = 16, 64
    grid = (triton.cdiv(N, BLOCK_N), triton.cdiv(M, BLOCK_M))
    transpose_kernel[grid](x, out, M, N, BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N)
