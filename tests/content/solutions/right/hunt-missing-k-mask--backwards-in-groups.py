"""hunt-missing-k-mask, backwards in groups.

A grid of one side, whose programs take the tiles in groups of rows, and a
walk along k that begins at its end: pointers move back by a step each turn.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def matmul_kernel(
    a_ptr,
    b_ptr,
    out_ptr,
    m,
    n,
    k,
    a_row,
    a_column,
    b_row,
    b_column,
    BLOCK: tl.constexpr,
    GROUP: tl.constexpr,
):
    down = tl.cdiv(m, BLOCK)
    across = tl.cdiv(n, BLOCK)
    tile = tl.program_id(0)
    group = tile // (GROUP * across)
    height = tl.minimum(down - group * GROUP, GROUP)
    within = tile % (GROUP * across)
    rows = (group * GROUP + within % height) * BLOCK + tl.arange(0, BLOCK)
    columns = within // height * BLOCK + tl.arange(0, BLOCK)
    steps = tl.cdiv(k, BLOCK)
    inner = (steps - 1) * BLOCK + tl.arange(0, BLOCK)
    a_at = a_ptr + rows[:, None].to(tl.int64) * a_row + inner[None, :].to(tl.int64) * a_column
    b_at = b_ptr + inner[:, None].to(tl.int64) * b_row + columns[None, :].to(tl.int64) * b_column
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for _ in range(steps):
        a = tl.load(a_at, mask=(rows[:, None] < m) & (inner[None, :] < k), other=0.0)
        b = tl.load(b_at, mask=(inner[:, None] < k) & (columns[None, :] < n), other=0.0)
        total = tl.dot(a, b, acc=total)
        inner -= BLOCK
        a_at -= BLOCK * a_column
        b_at -= BLOCK * b_row
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    at = rows[:, None].to(tl.int64) * n + columns[None, :]
    tl.store(out_ptr + at, total.to(tl.float16), mask=inside)


def matmul(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the matrix product of a and b."""
    m, k = a.shape
    n = b.shape[1]
    BLOCK = 32
    grid = (triton.cdiv(m, BLOCK) * triton.cdiv(n, BLOCK),)
    matmul_kernel[grid](
        a, b, out, m, n, k, *a.stride(), *b.stride(), BLOCK=BLOCK, GROUP=3, num_stages=2
    )
