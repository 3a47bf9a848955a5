"""hunt-wrong-other, minus 1e30.

Fails for float32 rows whose elements are all below -1e30: the padding wins.
float32 holds numbers down to -3.4e38.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def max_kernel(x_ptr, out_ptr, row_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * row_stride + i, mask=i < n, other=0.0)
    x = tl.where(i < n, x.to(tl.float32), -1e30)
    tl.store(out_ptr + row, tl.max(x, axis=0))


def row_max(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the largest element of each row of x."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    max_kernel[(rows,)](x, out, x.stride(0), n, BLOCK=BLOCK)
