"""PyTorch copies the tensor that the kernel reads."""

import torch
import triton
import triton.language as tl


@triton.jit
def mix_kernel(x_ptr, old_ptr, columns, x_row, old_row, weight, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    old = old_ptr + row * old_row + column
    this = tl.load(old, mask=inside)
    following = tl.load(old + old_row, mask=inside)
    mixed = (1 - weight) * this + weight * following
    tl.store(x_ptr + row * x_row + column, mixed, mask=inside)


def mix_with_next(x: torch.Tensor, weight: float) -> None:
    """Mix each row of `x` with the next one, in place."""
    rows, columns = x.shape
    BLOCK = 128
    grid = (rows - 1, triton.cdiv(columns, BLOCK))
    old = x.clone()
    mix_kernel[grid](
        x,
        old,
        columns,
        x.stride(0),
        old.stride(0),
        weight,
        BLOCK=BLOCK,
    )
