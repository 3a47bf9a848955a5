"""transpose, mask of the input.

Fails when M and N differ and one is no multiple of 32: the turned tile is
stored with the mask that it was loaded with.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def transpose_kernel(x_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = (i[:, None] < M) & (j[None, :] < N)
    tile = tl.load(x_ptr + i[:, None] * N + j[None, :], mask=inside)
    tl.store(out_ptr + j[:, None] * M + i[None, :], tl.trans(tile), mask=inside)


def transpose(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the transpose of x."""
    M, N = x.shape
    BLOCK = 32
    grid = (triton.cdiv(M, BLOCK), triton.cdiv(N, BLOCK))
    transpose_kernel[grid](x, out, M, N, BLOCK=BLOCK)
