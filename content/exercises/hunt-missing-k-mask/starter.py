"""hunt-missing-k-mask: find what is wrong with a matrix product.

What is reported
    "Right for 64, 128, 512. With 100 columns in a the numbers are off,
    and not by the same amount each time: they change with what ran
    before. Once it was all NaN. m and n may be anything, only k matters."

Formula
    out[i, j] = sum over l of a[i, l] * b[l, j]     for 0 <= l < k

Arguments
    a     float16, m by k, with any strides
    b     float16, k by n, with any strides
    out   float16, m by n, contiguous: write the product here

You may assume
    m, n and k are 1 or more, n at most 1,000,000. None need be a multiple
    of a block's side.
    No tensor has 2^31 elements or more.

Not allowed
    Multiplying or padding with PyTorch.
    Sums are to be kept in float32, as they are in the kernel given.

Picture
    A program walks along k in steps of 32. Here k = 100.

    l          0 ... 31 | 32 ... 63 | 64 ... 95 | 96 ... 99
    step           0          1           2           3
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
        a = tl.load(a_ptr + a_at, mask=row_inside, other=0.0)
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
