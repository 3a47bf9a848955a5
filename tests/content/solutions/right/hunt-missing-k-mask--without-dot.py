"""hunt-missing-k-mask, without dot.

Small tiles without tl.dot: the products of a step are a three-dimensional
block that is summed over its middle axis.
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
    SIDE: tl.constexpr,
):
    rows = (tl.program_id(0) * SIDE + tl.arange(0, SIDE)).to(tl.int64)
    columns = (tl.program_id(1) * SIDE + tl.arange(0, SIDE)).to(tl.int64)
    total = tl.zeros((SIDE, SIDE), dtype=tl.float32)
    for start in range(0, k, SIDE):
        inner = start + tl.arange(0, SIDE).to(tl.int64)
        a_inside = (rows[:, None] < m) & (inner[None, :] < k)
        b_inside = (inner[:, None] < k) & (columns[None, :] < n)
        a_at = rows[:, None] * a_row + inner[None, :] * a_column
        b_at = inner[:, None] * b_row + columns[None, :] * b_column
        a = tl.load(a_ptr + a_at, mask=a_inside, other=0.0).to(tl.float32)
        b = tl.load(b_ptr + b_at, mask=b_inside, other=0.0).to(tl.float32)
        total += tl.sum(a[:, :, None] * b[None, :, :], axis=1)
    inside = (rows[:, None] < m) & (columns[None, :] < n)
    at = rows[:, None] * n + columns[None, :]
    tl.store(out_ptr + at, total.to(tl.float16), mask=inside)


def matmul(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the matrix product of a and b."""
    m, k = a.shape
    n = b.shape[1]
    SIDE = 16
    grid = (triton.cdiv(m, SIDE), triton.cdiv(n, SIDE))
    matmul_kernel[grid](a, b, out, m, n, k, *a.stride(), *b.stride(), SIDE=SIDE)
