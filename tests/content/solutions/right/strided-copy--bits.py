"""strided-copy, bits.

The elements are copied as whole numbers of the same size, row by row in
turns that tl.static_range unrolls.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def copy_kernel(
    x_ptr,
    out_ptr,
    M,
    N,
    x_row,
    x_column,
    INTEGER: tl.constexpr,
    ROWS: tl.constexpr,
    BLOCK: tl.constexpr,
):
    x_bits = x_ptr.to(tl.pointer_type(INTEGER))
    out_bits = out_ptr.to(tl.pointer_type(INTEGER))
    j = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    for turn in tl.static_range(ROWS):
        i = tl.program_id(0) * ROWS + turn
        inside = (i < M) & (j < N)
        bits = tl.load(x_bits + i * x_row + j * x_column, mask=inside)
        tl.store(out_bits + i * N + j, bits, mask=inside)


def strided_copy(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the elements of x."""
    M, N = out.shape
    INTEGER = tl.int16 if x.element_size() == 2 else tl.int32
    ROWS, BLOCK = 4, 128
    grid = (triton.cdiv(M, ROWS), triton.cdiv(N, BLOCK))
    copy_kernel[grid](x, out, M, N, *x.stride(), INTEGER=INTEGER, ROWS=ROWS, BLOCK=BLOCK)
