"""hunt-race, mixed beside.

A first launch stores the mixed rows beside x, in fresh memory; a second one
brings them back.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def mix_kernel(x_ptr, mixed_ptr, columns, x_row, weight, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    at = x_ptr + row * x_row + column
    this = tl.load(at, mask=inside)
    following = tl.load(at + x_row, mask=inside)
    mixed = (1 - weight) * this + weight * following
    tl.store(mixed_ptr + row * columns + column, mixed, mask=inside)


@triton.jit
def bring_back_kernel(x_ptr, mixed_ptr, columns, x_row, BLOCK: tl.constexpr):
    row = tl.program_id(0).to(tl.int64)
    column = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = column < columns
    mixed = tl.load(mixed_ptr + row * columns + column, mask=inside)
    tl.store(x_ptr + row * x_row + column, mixed, mask=inside)


def mix_with_next(x: torch.Tensor, weight: float) -> None:
    """Mix each row of `x` with the next one, in place."""
    rows, columns = x.shape
    BLOCK = 128
    grid = (rows - 1, triton.cdiv(columns, BLOCK))
    mixed = torch.empty((rows - 1, columns), dtype=x.dtype, device=x.device)
    mix_kernel[grid](x, mixed, columns, x.stride(0), weight, BLOCK=BLOCK)
    bring_back_kernel[grid](x, mixed, columns, x.stride(0), BLOCK=BLOCK)
