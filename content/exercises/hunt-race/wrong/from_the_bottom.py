"""A program owns columns, but goes up: it reads rows it has changed."""

import torch
import triton
import triton.language as tl


@triton.jit
def mix_kernel(x_ptr, rows, columns, x_row, weight, BLOCK: tl.constexpr):
    column = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    at = x_ptr + (rows - 1) * x_row + column
    following = tl.load(at, mask=inside)
    for _ in range(rows - 1):
        at -= x_row
        this = tl.load(at, mask=inside)
        following = (1 - weight) * this + weight * following
        tl.store(at, following, mask=inside)


def mix_with_next(x: torch.Tensor, weight: float) -> None:
    """Mix each row of `x` with the next one, in place."""
    rows, columns = x.shape
    BLOCK = 128
    grid = (triton.cdiv(columns, BLOCK),)
    mix_kernel[grid](x, rows, columns, x.stride(0), weight, BLOCK=BLOCK)
