"""hunt-wrong-other, maximum of the array.

Fails for every input on a GPU: the maximum is taken by NumPy from the
array behind the interpreter's tensor. The compiler's tensors have none.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def max_kernel(x_ptr, out_ptr, row_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * row_stride + i, mask=i < n, other=float("-inf"))
    tl.store(out_ptr + row, float(x.handle.data.max()))


def row_max(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the largest element of each row of x."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    max_kernel[(rows,)](x, out, x.stride(0), n, BLOCK=BLOCK)
