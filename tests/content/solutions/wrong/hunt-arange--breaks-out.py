"""hunt-arange, breaks out.

Fails for every input on a GPU: the compiler rejects `break`. Only the
interpreter runs this loop.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_columns_kernel(x_ptr, w_ptr, out_ptr, N, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    for start in range(0, 4096, BLOCK):
        if start >= N:
            break
        j = start + tl.arange(0, BLOCK)
        inside = j < N
        x = tl.load(x_ptr + row * N + j, mask=inside)
        w = tl.load(w_ptr + j, mask=inside)
        tl.store(out_ptr + row * N + j, x * w, mask=inside)


def scale_columns(
    x: torch.Tensor,
    w: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with the columns of x, each times its factor."""
    M, N = x.shape
    scale_columns_kernel[(M,)](x, w, out, N, BLOCK=128)
