"""constant-add, mask at most n.

Fails for every n that is no power of two: lane n passes the mask of the
store, so the element after out's last one is overwritten.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_constant_kernel(x_ptr, out_ptr, n, c, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i, mask=i < n, other=0.0)
    tl.store(out_ptr + i, x + c, mask=i <= n)


def constant_add(x: torch.Tensor, out: torch.Tensor, c: float) -> None:
    """Fill `out` with x + c."""
    n = out.numel()
    BLOCK = triton.next_power_of_2(n)
    add_constant_kernel[(1,)](x, out, n, c, BLOCK=BLOCK)
