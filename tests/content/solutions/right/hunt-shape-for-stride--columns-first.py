"""hunt-shape-for-stride, columns first.

A program owns 8 columns and goes down the rows; helper functions make the
offsets.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def offsets(rows, columns, row_stride, column_stride):
    down = rows.to(tl.int64) * row_stride
    across = columns.to(tl.int64) * column_stride
    return down[:, None] + across[None, :]


@triton.jit
def bias_kernel(
    x_ptr,
    bias_ptr,
    out_ptr,
    m,
    n,
    x_row,
    x_column,
    out_row,
    out_column,
    BLOCK_M: tl.constexpr,
    BLOCK_N: tl.constexpr,
):
    columns = tl.program_id(0) * BLOCK_N + tl.arange(0, BLOCK_N)
    bias = tl.load(bias_ptr + columns, mask=columns < n).to(tl.float32)
    for first in tl.range(0, m, BLOCK_M):
        rows = first + tl.arange(0, BLOCK_M)
        inside = (rows[:, None] < m) & (columns[None, :] < n)
        x = tl.load(x_ptr + offsets(rows, columns, x_row, x_column), mask=inside)
        result = x.to(tl.float32) + bias[None, :]
        tl.store(out_ptr + offsets(rows, columns, out_row, out_column), result, mask=inside)


def add_bias(x: torch.Tensor, bias: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with x + bias."""
    m, n = x.shape
    BLOCK_M, BLOCK_N = 64, 8
    bias_kernel[(triton.cdiv(n, BLOCK_N),)](
        x, bias, out, m, n, *x.stride(), *out.stride(), BLOCK_M=BLOCK_M, BLOCK_N=BLOCK_N
    )
