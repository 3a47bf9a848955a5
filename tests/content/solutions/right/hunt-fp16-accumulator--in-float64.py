"""hunt-fp16-accumulator, in float64.

Products and sums in float64, in which both are exact for float16 inputs.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def dot_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    x_ptr += row * n
    y_ptr += row * n
    acc = tl.zeros([BLOCK], dtype=tl.float64)
    for start in tl.range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        x = tl.load(x_ptr + i, mask=i < n, other=0.0).to(tl.float64)
        y = tl.load(y_ptr + i, mask=i < n, other=0.0).to(tl.float64)
        acc = tl.fma(x, y, acc)
    tl.store(out_ptr + row, tl.sum(acc, axis=0).to(tl.float32))


def row_dot(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the dot product of each row of x and the same row of y."""
    rows, n = x.shape
    dot_kernel[(rows,)](x, y, out, n, BLOCK=128)
