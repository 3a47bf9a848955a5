"""mul-relu: a product and a ReLU in one kernel, a vector along the columns.

Formula
    out[r, c] = max(x[r, c] * y[c], 0)
                                 for 0 <= r < rows and 0 <= c < columns

Arguments
    x     float32 or float16, rows x columns
    y     of the same type, columns elements, contiguous
    out   of the same type and shape as x: write the result here

You may assume
    rows and columns are 1 or more, columns at most 1,000,000; they need
    not be multiples of a tile's.
    x and out may have any strides: a transposed matrix, every second
    column of a wider one, rows that lie apart; x also one row for all,
    with a stride of 0. Use x.stride() and out.stride(), which need not
    agree.
    Offsets fit in int32.
    Every value is finite, and so is every product.

Not allowed
    Computing with PyTorch, or more than one kernel launch.

Picture
    a tile of 2 x 4 at row 2 and column 4 of a matrix of 3 x 6

                  y      y4  y5   .   .     loaded once, for all rows

          row 2   x     x24 x25   .   .     one row and two columns
          row 3   x       .   .   .   .     are inside
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
    # Which rows and which columns does this program own? Load the tile of x
    # and the part of y that it needs, compute, store.
    pass


def mul_relu(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with relu(x * y), where y has an element for each column."""
    rows, columns = x.shape
    ROWS, COLUMNS = 16, 64
    grid = (triton.cdiv(rows, ROWS), triton.cdiv(columns, COLUMNS))
    mul_relu_kernel[grid](
        x, y, out, rows, columns, *x.stride(), *out.stride(), ROWS=ROWS, COLUMNS=COLUMNS
    )
