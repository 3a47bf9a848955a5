"""constant-add, added in numpy.

Breaks the rule that the kernel adds: it only copies, and NumPy adds c in
place through a view of the same memory. On a GPU .numpy() raises.
"""

import numpy as np
import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(x_ptr, out_ptr, n, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n), mask=i < n)


def constant_add(x: torch.Tensor, out: torch.Tensor, c: float) -> None:
    """Fill `out` with x + c."""
    n = out.numel()
    copy_kernel[(1,)](x, out, n, BLOCK=triton.next_power_of_2(n))
    numbers = out.numpy()
    np.add(numbers, np.float32(c), out=numbers)
