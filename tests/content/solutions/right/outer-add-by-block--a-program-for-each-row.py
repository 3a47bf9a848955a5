"""outer-add-by-block, a program for each row.

One program for each row, which walks along y.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def outer_add_kernel(x_ptr, y_ptr, out_ptr, N, BLOCK: tl.constexpr):
    i = tl.program_id(0)
    x = tl.load(x_ptr + i)
    for start in tl.range(0, N, BLOCK):
        j = start + tl.arange(0, BLOCK)
        y = tl.load(y_ptr + j, mask=j < N)
        tl.store(out_ptr + i * N + j, x + y, mask=j < N)


def outer_add_by_block(
    x: torch.Tensor,
    y: torch.Tensor,
    out: torch.Tensor,
) -> None:
    """Fill `out` with x[i] + y[j]."""
    M, N = out.shape
    outer_add_kernel[(M,)](x, y, out, N, BLOCK=256, num_warps=2)
