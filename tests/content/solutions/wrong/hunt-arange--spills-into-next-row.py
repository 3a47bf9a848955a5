"""hunt-arange, spills into next row.

Fails for every N that is no power of two: the lanes past a row's end are
stored as zeros over the beginning of the next row. That is right only if
the next row's program stores later, which nothing promises.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_columns_kernel(x_ptr, w_ptr, out_ptr, M, N, BLOCK: tl.constexpr):
    j = tl.arange(0, BLOCK)
    offsets = tl.program_id(0) * N + j
    inside = offsets < M * N
    x = tl.load(x_ptr + offsets, mask=inside)
    w = tl.load(w_ptr + j, mask=j < N, other=0.0)
    tl.store(out_ptr + offsets, x * w, mask=inside)


def scale_columns(
    x: torch.Tensor,
    w: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with the columns of x, each times its factor."""
    M, N = x.shape
    scale_columns_kernel[(M,)](x, w, out, M, N, BLOCK=triton.next_power_of_2(N))
