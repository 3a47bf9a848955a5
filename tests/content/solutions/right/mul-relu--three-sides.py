"""mul-relu, three sides.

A three-dimensional grid: the rows are shared out over two of its sides,
the columns over the third.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def mul_relu_kernel(
    x_ptr,
    y_ptr,
    out_ptr,
    rows,
    columns,
    x_row,
    x_column,
    out_row,
    out_column,
    COLUMNS: tl.constexpr,
):
    row = tl.program_id(0) * tl.num_programs(2) + tl.program_id(2)
    c = tl.program_id(1) * COLUMNS + tl.arange(0, COLUMNS)
    inside = (row < rows) & (c < columns)
    x = tl.load(x_ptr + row * x_row + c * x_column, mask=inside)
    y = tl.load(y_ptr + c, mask=inside)
    product = x.to(tl.float32) * y.to(tl.float32)
    out = tl.where(product > 0.0, product, 0.0)
    tl.store(out_ptr + row * out_row + c * out_column, out, mask=inside)


def mul_relu(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with relu(x * y), where y has an element for each column."""
    rows, columns = x.shape
    COLUMNS = 64
    grid = (triton.cdiv(rows, 2), triton.cdiv(columns, COLUMNS), 2)
    mul_relu_kernel[grid](x, y, out, rows, columns, *x.stride(), *out.stride(), COLUMNS=COLUMNS)
