"""hunt-wrong-other: find out why the largest log-probability is 0.

What is reported
    "We take the largest log-probability of each row. With a vocabulary of
    1,024 words the results are right. With one of 1,000 every row gives 0.
    On activations, which have both signs, the same function was right for
    every width that we tried."

Formula
    out[r] = max over c of x[r, c]      for 0 <= r < rows

Arguments
    x     float32 or float16, rows x n
    out   of the same type, rows elements, contiguous

You may assume
    rows is 1 or more. n is from 1 to 16,384 and need not be a power of two.
    The elements of a row are neighbours. Rows may lie apart: x.stride(0)
    may be more than n.
    Offsets fit in int32.
    Every x is finite, of either sign and of any size that its type holds.

Not allowed
    Taking the maximum with PyTorch, or more than one kernel launch. Change
    what you like in the kernel: any kernel that is right passes.

Picture
    n = 3, BLOCK = 4, one row: one program

    x        -2.1  -0.3  -4.0    .       a masked lane
    out      -0.3
"""

import torch
import triton
import triton.language as tl


@triton.jit
def max_kernel(x_ptr, out_ptr, row_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    i = tl.arange(0, BLOCK)
    x = tl.load(x_ptr + row * row_stride + i, mask=i < n, other=0.0)
    tl.store(out_ptr + row, tl.max(x, axis=0))


def row_max(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the largest element of each row of x."""
    rows, n = x.shape
    BLOCK = triton.next_power_of_2(n)
    max_kernel[(rows,)](x, out, x.stride(0), n, BLOCK=BLOCK)
