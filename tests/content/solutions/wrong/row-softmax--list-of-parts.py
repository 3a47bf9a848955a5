"""row-softmax, list of parts.

Fails for every input on a GPU: the kernel keeps the parts of a row in a
Python list, to which the compiler cannot append.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def softmax_kernel(x_ptr, out_ptr, x_stride, out_stride, n, BLOCK: tl.constexpr):
    row = tl.program_id(0)
    lanes = tl.arange(0, BLOCK)
    parts = []
    biggest = float("-inf")
    for start in range(0, n, BLOCK):
        i = start + lanes
        x = tl.load(x_ptr + row * x_stride + i, mask=i < n, other=float("-inf"))
        parts.append(x.to(tl.float32))
        biggest = tl.maximum(biggest, tl.max(parts[-1], axis=0))
    total = 0.0
    for part in parts:
        total += tl.sum(tl.exp(part - biggest), axis=0)
    for turn, part in enumerate(parts):
        i = turn * BLOCK + lanes
        out = tl.exp(part - biggest) / total
        tl.store(out_ptr + row * out_stride + i, out, mask=i < n)


def row_softmax(x: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the softmax of each row of x."""
    rows, n = x.shape
    softmax_kernel[(rows,)](x, out, x.stride(0), out.stride(0), n, BLOCK=1024)
