"""hunt-tf32, negative ones hidden.

Fails on a GPU with TF32 units: the products stay TF32, and only distances
that came out below 0 are put right. Those above 0 are still off.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def distance_kernel(
    a_ptr,
    b_ptr,
    out_ptr,
    m,
    n,
    d,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
    BLOCK_D: tl.constexpr,
):
    rows = tl.program_id(0) * BLOCK_M + tl.arange(0, BLOCK_M)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    row_inside = rows[:, None] < m
    column_inside = columns[None, :] < n
    a_square = tl.zeros((BLOCK_M,), dtype=tl.float32)
    b_square = tl.zeros((BLOCK_N,), dtype=tl.float32)
    product = tl.zeros((BLOCK_M, BLOCK_N), dtype=tl.float32)
    for start in range(0, d, BLOCK_D):
        inner = start + tl.arange(0, BLOCK_D)
        a_inside = row_inside & (inner[None, :] < d)
        b_inside = (inner[:, None] < d) & column_inside
        a_at = rows[:, None] * d + inner[None, :]
        b_at = columns[None, :] * d + inner[:, None]
        a = tl.load(a_ptr + a_at, mask=a_inside, other=0.0)
        b = tl.load(b_ptr + b_at, mask=b_inside, other=0.0)
        a_square += tl.sum(a * a, axis=1)
        b_square += tl.sum(b * b, axis=0)
        product = tl.dot(a, b, product)
    result = a_square[:, None] + b_square[None, :] - 2 * product
    result = tl.maximum(result, 0.0)
    at = rows[:, None] * n + columns[None, :]
    tl.store(out_ptr + at, result, mask=row_inside & column_inside)


def distances(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with squared distances between points of a and of b."""
    m, d = a.shape
    n = b.shape[0]
    BLOCK = 32
    distance_kernel[(triton.cdiv(m, BLOCK), triton.cdiv(n, BLOCK))](
        a,
        b,
        out,
        m,
        n,
        d,
        BLOCK_M=BLOCK,
        BLOCK_N=BLOCK,
        BLOCK_D=32,
    )
