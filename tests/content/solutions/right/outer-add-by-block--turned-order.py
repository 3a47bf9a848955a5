"""outer-add-by-block, turned order.

A flat grid that goes through the tiles column by column, from the last one
to the first; sums are made in float32.
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
    tile = tl.num_programs(0) - 1 - tl.program_id(0)
    down = tl.cdiv(M, BLOCK_M)
    i = tile % down * BLOCK_M + tl.arange(0, BLOCK_M)[:, None]
    j = tile // down * BLOCK_N + tl.arange(0, BLOCK_N)[None, :]
    x = tl.load(x_ptr + i, mask=i < M).to(tl.float32)
    y = tl.load(y_ptr + j, mask=j < N).to(tl.float32)
    at = out_ptr + i.to(tl.int64) * N + j
    tl.store(at, x + y, mask=(i < M) & (j < N))


def outer_add_by_block(
    x: torch.Tensor,
    y: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with x[i] + y[j]."""
    M, N = out.shape
    BLOCK_M = 1
    BLOCK_N = 512
    grid = (triton.cdiv(M, BLOCK_M) * triton.cdiv(N, BLOCK_N),)
    outer_add_kernel[grid](x, y, out, M, N, BLOCK_M, BLOCK_N)
