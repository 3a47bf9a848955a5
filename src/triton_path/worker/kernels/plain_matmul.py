"""A product of two float32 matrices in a chosen precision: no tricks, for comparisons.

    out = a @ b        a (M, K), b (K, N), out (M, N)

A program computes a tile of 128 x 128 of `out` and walks along K in steps of 32. One launch; it
reads K x (M x N/128 + N x M/128) elements if no cache helps, and does 2 x M x N x K operations:
at 4096 it is bound by arithmetic. The plain reference is `torch.mm`.
"""

from __future__ import annotations

from typing import Literal

import torch
import triton
import triton.language as tl

BLOCK, STEP = 128, 32

Precision = Literal["tf32", "ieee"]
"""How tl.dot reads float32: rounded to ten bits for the tensor cores (its default), or whole."""


@triton.jit
def matmul_kernel(
    a_ptr: tl.tensor,
    b_ptr: tl.tensor,
    out_ptr: tl.tensor,
    M: tl.tensor,
    N: tl.tensor,
    K: tl.tensor,
    BLOCK: tl.constexpr,
    STEP: tl.constexpr,
    PRECISION: tl.constexpr,
) -> None:
    """Compute one tile of `out`; the programs of a grid row share the rows of `a`."""
    row = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for first in range(0, K, STEP):
        k = first + tl.arange(0, STEP)
        a_inside = (row[:, None] < M) & (k[None, :] < K)
        b_inside = (k[:, None] < K) & (column[None, :] < N)
        a = tl.load(a_ptr + row[:, None] * K + k[None, :], mask=a_inside, other=0.0)
        b = tl.load(b_ptr + k[:, None] * N + column[None, :], mask=b_inside, other=0.0)
        total = tl.dot(a, b, total, input_precision=PRECISION)
    inside = (row[:, None] < M) & (column[None, :] < N)
    tl.store(out_ptr + row[:, None] * N + column[None, :], total, mask=inside)


def matmul(a: torch.Tensor, b: torch.Tensor, *, precision: Precision = "tf32") -> torch.Tensor:
    """Return a @ b. a: (M, K), b: (K, N), float32, contiguous, below 2^31 elements each."""
    (rows, inner), columns = a.shape, b.shape[1]
    out = torch.empty(rows, columns, device=a.device, dtype=torch.float32)
    grid = (triton.cdiv(rows, BLOCK), triton.cdiv(columns, BLOCK))
    matmul_kernel[grid](
        a, b, out, rows, columns, inner,
        BLOCK=BLOCK, STEP=STEP, PRECISION=precision, num_warps=8, num_stages=3,
    )  # fmt: skip
    return out
