"""hunt-tf32, float64 products.

The second form of the formula with sums and products in float64, one point
of a for each program.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def distance_kernel(
    a_ptr,
    b_ptr,
    out_ptr,
    n,
    d,
    BLOCK_N: tl.constexpr,
    BLOCK_D: tl.constexpr,
):
    point = tl.program_id(0).to(tl.int64)
    columns = tl.program_id(1) * BLOCK_N + tl.arange(0, BLOCK_N)
    squares = tl.zeros((BLOCK_N,), dtype=tl.float64)
    product = tl.zeros((BLOCK_N,), dtype=tl.float64)
    for start in range(0, d, BLOCK_D):
        inner = start + tl.arange(0, BLOCK_D)
        a = tl.load(a_ptr + point * d + inner, mask=inner < d, other=0.0).to(tl.float64)
        at = columns[:, None].to(tl.int64) * d + inner[None, :]
        inside = (columns[:, None] < n) & (inner[None, :] < d)
        b = tl.load(b_ptr + at, mask=inside, other=0.0).to(tl.float64)
        squares += tl.sum(b * b, axis=1) + tl.sum(a * a, axis=0)
        product += tl.sum(a[None, :] * b, axis=1)
    result = (squares - 2 * product).to(tl.float32)
    tl.store(out_ptr + point * n + columns, result, mask=columns < n)


def distances(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with squared distances between points of a and of b."""
    m, d = a.shape
    n = b.shape[0]
    BLOCK_N = 32
    grid = (m, triton.cdiv(n, BLOCK_N))
    distance_kernel[grid](a, b, out, n, d, BLOCK_N=BLOCK_N, BLOCK_D=32)
