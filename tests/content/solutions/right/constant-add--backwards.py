"""constant-add, backwards.

The lanes number the elements from the last to the first.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_constant_kernel(x_ptr, out_ptr, n, c, BLOCK: tl.constexpr):
    i = n - 1 - tl.arange(0, BLOCK)
    inside = i >= 0
    x = tl.load(x_ptr + i, mask=inside)
    tl.store(out_ptr + i, x + c, mask=inside)


def constant_add(x: torch.Tensor, out: torch.Tensor, c: float) -> None:
    """Fill `out` with x + c."""
    n = out.numel()
    BLOCK = triton.next_power_of_2(n)
    add_constant_kernel[(1,)](x, out, n, c, BLOCK=BLOCK)
