"""hunt-missing-k-mask, a masked alone.

Fails when k is no multiple of 32: b is loaded without a mask along k. The
zeros of a hide what lies there unless that is infinite or NaN, or is no
memory of this process.
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
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_K: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    row_inside = rows[:, None] < m
    column_inside = columns[None, :] < n
    total = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, k, BLOCK_K):
        inner = start + tl.arange(0, BLOCK_K)
        a_at = rows[:, None] * a_row + inner[None, :] * a_column
        b_at = inner[:, None] * b_row + columns[None, :] * b_column
        a_inside = row_inside & (inner[None, :] < k)
        a = tl.load(a_ptr + a_at, mask=a_inside, other=0.0)
        b = tl.load(b_ptr + b_at, mask=column_inside, other=0.0)
        total = tl.dot(a, b, total)
    at = rows[:, None] * n + columns[None, :]
    result = total.to(tl.float16)
    tl.store(out_ptr + at, result, mask=row_inside & column_inside)


def matmul(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the matrix product of a and b."""
    m, k = a.shape
    n = b.shape[1]
    BLOCK = 32
    matmul_kernel[(triton.cdiv(m, BLOCK), triton.cdiv(n, BLOCK))](
        a,
        b,
        out,
        m,
        n,
        k,
        *a.stride(),
        *b.stride(),
        BLOCK_M=BLOCK,
        BLOCK_N=BLOCK,
        BLOCK_K=32,
    )
