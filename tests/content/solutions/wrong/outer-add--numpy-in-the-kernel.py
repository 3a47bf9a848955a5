"""outer-add, numpy in the kernel.

Fails for every input on a GPU: the kernel calls numpy.add, which only the
interpreter carries out.
"""

import numpy as np
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
    i = tl.arange(0, BLOCK_M)
    j = tl.arange(0, BLOCK_N)
    x = tl.load(x_ptr + i, mask=i < M)
    y = tl.load(y_ptr + j, mask=j < N)
    inside = (i[:, None] < M) & (j[None, :] < N)
    tl.store(out_ptr + i[:, None] * N + j[None, :], np.add(x[:, None], y[None, :]), mask=inside)


def outer_add(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x[i] + y[j]."""
    M, N = out.shape
    BLOCK_M = triton.next_power_of_2(M)
    BLOCK_N = triton.next_power_of_2(N)
    outer_add_kernel[(1,)](x, y, out, M, N, BLOCK_M, BLOCK_N)
