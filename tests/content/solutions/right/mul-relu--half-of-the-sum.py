"""mul-relu, half of the sum.

The ReLU is the sum of half the product and its absolute value, in float64,
where both are exact.
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
    ROWS: tl.constexpr,
    COLUMNS: tl.constexpr,
):
    c = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    y = tl.load(y_ptr + c, mask=c < columns, other=0.0).to(tl.float64)
    for first in range(0, rows, ROWS):
        r = first + tl.arange(0, ROWS)[:, None]
        inside = (r < rows) & (c < columns)
        x = tl.load(x_ptr + r * x_row + c * x_column, mask=inside, other=0.0)
        half = 0.5 * x.to(tl.float64) * y
        out = (half + tl.abs(half)).to(out_ptr.dtype.element_ty)
        tl.store(out_ptr + r * out_row + c * out_column, out, mask=inside)


def mul_relu(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with relu(x * y), where y has an element for each column."""
    rows, columns = x.shape
    ROWS, COLUMNS = 8, 32
    mul_relu_kernel[(triton.cdiv(columns, COLUMNS),)](
        x, y, out, rows, columns, *x.stride(), *out.stride(), ROWS=ROWS, COLUMNS=COLUMNS
    )
