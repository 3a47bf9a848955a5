"""hunt-fp16-accumulator, blocks in half.

Fails for float16: products are float32, but each block's sum is rounded
to the type of x before it is added to the total.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def dot_kernel(x_ptr, y_ptr, out_ptr, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    total = 0.0
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + row * n + i, mask=i < n, other=0.0)
        y = tl.load(y_ptr + row * n + i, mask=i < n, other=0.0)
        part = tl.sum(x.to(tl.float32) * y.to(tl.float32), axis=0)
        total += part.to(x_ptr.dtype.element_ty).to(tl.float32)
    tl.store(out_ptr + row, total)


def row_dot(x: torch.Tensor, y: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the dot product of each row of x and the same row of y."""
    rows, n = x.shape
    dot_kernel[(rows,)](x, y, out, n, BLOCK=256)
