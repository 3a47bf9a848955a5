"""hunt-wrong-other, zeros are padding.

Fails for rows whose largest element is a true 0: every 0 is taken for
padding and left out.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def max_kernel(x_ptr, out_ptr, row_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * row_stride + i, mask=i < n, other=0.0)
    x = tl.where(x == 0.0, float("-inf"), x)
    tl.store(out_ptr + row, tl.max(x, axis=0))


def row_max(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the largest element of each row of x."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    max_kernel[(rows,)](x, out, x.stride(0), n, BLOCK=BLOCK)
