"""constant-add, load without mask.

Fails for every n that is no power of two: the load has no mask and reads
up to BLOCK - n elements after x's last one. What is stored is right.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_constant_kernel(x_ptr, out_ptr, n, c, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    total = tl.load(x_ptr + i) + c
    tl.store(out_ptr + i, total, mask=i < n)


def constant_add(x: torch.Tensor, out: torch.Tensor, c: float) -> None:
    """Fill `out` with x + c."""
    n = out.numel()
    BLOCK = triton.next_power_of_2(n)
    add_constant_kernel[(1,)](x, out, n, c, BLOCK=BLOCK)
