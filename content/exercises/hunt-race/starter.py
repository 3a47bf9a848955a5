"""hunt-race: find why rows are right in one place and wrong in another.

What is reported
    "Each row is mixed with the next one, in place. In Triton's
    interpreter it is right for every size. On the GPU small matrices are
    right too. In one of 256 rows by 4096 columns a few hundred elements
    are wrong, other ones each time, and in some runs none at all."

Formula
    x[r, c] = (1 - weight) * x[r, c] + weight * x[r + 1, c]
                               for 0 <= r < rows - 1 and 0 <= c < columns
    On the right stand the values that x had before the call. The last row
    stays as it is.

Arguments
    x        float32, rows by columns: changed in place. Each row is
             contiguous; from row to row there are x.stride(0) elements.
    weight   float, the share of the next row

You may assume
    rows is 2 or more, columns is 1 or more.
    x has less than 2^31 elements.

Not allowed
    Computing or copying with PyTorch. You may allocate memory.

Picture
    rows = 4: which rows, as they were, a new row is made of

    new row 0    0 1
    new row 1      1 2
    new row 2        2 3
    row 3              3
"""

import torch
import triton
import triton.language as tl


@triton.jit
def mix_kernel(x_ptr, columns, x_row, weight, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    at = x_ptr + row * x_row + column
    this = tl.load(at, mask=inside)
    following = tl.load(at + x_row, mask=inside)
    mixed = (1 - weight) * this + weight * following
    tl.store(at, mixed, mask=inside)


def mix_with_next(x: torch.Tensor, weight: float) -> None:
    """Mix each row of `x` with the next one, in place."""
    rows, columns = x.shape
    BLOCK = 128
    grid = (rows - 1, triton.cdiv(columns, BLOCK))
    mix_kernel[grid](x, columns, x.stride(0), weight, BLOCK=BLOCK)
