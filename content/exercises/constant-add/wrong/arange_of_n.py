"""tl.arange(0, n) takes a length that is known only when the kernel runs."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_constant_kernel(x_ptr, out_ptr, n, c):
    i = tl.arange(0, n)
    x = tl.load(x_ptr + i)
    tl.store(out_ptr + i, x + c)


def constant_add(x: torch.Tensor, out: torch.Tensor, c: float) -> None:
    """Fill `out` with x + c."""
    add_constant_kernel[(1,)](x, out, out.numel(), c)
