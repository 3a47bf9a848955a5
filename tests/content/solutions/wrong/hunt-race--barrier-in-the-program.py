"""hunt-race, barrier in the program.

Fails on a GPU for matrices with more programs than run at once: the
barrier holds up the threads of one program, and the next row belongs to
another.
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
    tl.debug_barrier()
    mixed = (1 - weight) * this + weight * following
    tl.store(at, mixed, mask=inside)


def mix_with_next(x: torch.Tensor, weight: float) -> None:
    """Mix each row of `x` with the next one, in place."""
    rows, columns = x.shape
    BLOCK = 128
    grid = (rows - 1, triton.cdiv(columns, BLOCK))
    mix_kernel[grid](x, columns, x.stride(0), weight, BLOCK=BLOCK)
