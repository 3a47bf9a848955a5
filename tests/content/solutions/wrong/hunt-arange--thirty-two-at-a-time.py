"""hunt-arange, thirty two at a time.

Fails for every N that is no multiple of 32: N // 32 whole blocks of a row
are computed, and the rest of the row is not written. 96 is right.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_columns_kernel(x_ptr, w_ptr, out_ptr, N):
    row = tl.program_id(0)
    for step in range(N // 32):
        j = step * 32 + tl.arange(0, 32)
        x = tl.load(x_ptr + row * N + j)
        w = tl.load(w_ptr + j)
        tl.store(out_ptr + row * N + j, x * w)


def scale_columns(
    x: torch.Tensor,
    w: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with the columns of x, each times its factor."""
    M, N = x.shape
    scale_columns_kernel[(M,)](x, w, out, N)
