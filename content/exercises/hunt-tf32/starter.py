"""hunt-tf32: find why distances are wrong from the fourth digit on.

What is reported
    "Squared distances for a nearest-neighbour search, all in float32. On
    the H200 a point's distance to itself is not 0 but 0.1 or so, and of
    two close neighbours it often takes the farther one. Results agree
    with float64 to three digits. On the CPU, in Triton's interpreter,
    they agree to six, and PyTorch has six on the same GPU as well."

Formula
    out[i, j] = sum over l of (a[i, l] - b[j, l])^2     for 0 <= l < d
              = |a[i]|^2 + |b[j]|^2 - 2 * sum over l of a[i, l] * b[j, l]

Arguments
    a     float32, m points of d coordinates, contiguous
    b     float32, n points of d coordinates, contiguous
    out   float32, m by n, contiguous: write the squared distances here

You may assume
    m, n and d are 1 or more, n at most 1,000,000. None need be a multiple
    of a block's side. No tensor has 2^31 elements or more.
    Coordinates are finite, and none is above 10^9 or below -10^9.

Not allowed
    Computing with PyTorch.
    A result that is less exact than float32 sums are. The check allows
    for their rounding, in any order, and for no more.

Picture
    The bits of a number, sign left out

    float32    8 exponent   23 fraction
    TF32       8 exponent   10 fraction
    float16    5 exponent   10 fraction
    bfloat16   8 exponent    7 fraction
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
