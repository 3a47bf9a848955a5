"""hunt-missing-mask, one program.

A single program scales everything, block after block in a while loop.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    left = n
    while left > 0:
        inside = lanes < left
        x = tl.load(x_ptr + lanes, mask=inside)
        tl.store(x_ptr + lanes, x * factor, mask=inside)
        x_ptr += BLOCK
        left -= BLOCK


def scale_in_place(x: torch.Tensor, factor: float) -> None:
    """Multiply every element of x by `factor`."""
    scale_kernel[(1,)](x, x.numel(), factor, BLOCK=1024)
