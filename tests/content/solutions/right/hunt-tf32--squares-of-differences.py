"""hunt-tf32, squares of differences.

The first form of the formula: differences are squared and summed, a few
coordinates at a time, without tl.dot.
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
    BLOCK: tl.constexpr,
    BLOCK_D: tl.constexpr,
):
    rows = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK))[:, None, None].to(tl.int64)
    columns = (tl.program_id(1) * BLOCK + tl.arange(0, BLOCK))[None, :, None].to(tl.int64)
    total = tl.zeros((BLOCK, BLOCK), dtype=tl.float32)
    for start in range(0, d, BLOCK_D):
        inner = start + tl.arange(0, BLOCK_D)[None, None, :]
        a = tl.load(a_ptr + rows * d + inner, mask=(rows < m) & (inner < d), other=0.0)
        b = tl.load(b_ptr + columns * d + inner, mask=(columns < n) & (inner < d), other=0.0)
        apart = a - b
        total += tl.sum(apart * apart, axis=2)
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)[:, None].to(tl.int64)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)[None, :]
    tl.store(out_ptr + i * n + j, total, mask=(i < m) & (j < n))


def distances(a: torch.Tensor, b: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with squared distances between points of a and of b."""
    m, d = a.shape
    n = b.shape[0]
    BLOCK = 16
    grid = (triton.cdiv(m, BLOCK), triton.cdiv(n, BLOCK))
    distance_kernel[grid](a, b, out, m, n, d, BLOCK=BLOCK, BLOCK_D=8)
