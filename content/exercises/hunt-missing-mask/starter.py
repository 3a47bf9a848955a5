"""hunt-missing-mask: find out why a neighbour's numbers change.

Formula
    x[i] = factor * x[i]        for 0 <= i < n, in place

Arguments
    x        float32 or float16, n elements, contiguous: scaled in place
    factor   a number, the same for all elements

You may assume
    n is 1 or more and below 2**31.

What is reported
    "I keep the gradients of all layers in one buffer and scale one
    layer's part of it. With factor 0.5 and buffer[:1024] all is well.
    With buffer[:1000] the part itself is right, but the first 24 numbers
    of the next layer are halved too."

Not allowed
    Scaling with PyTorch, or more than one kernel launch. Every element is
    scaled once, and no memory outside of x may be read or written.

Picture
    BLOCK = 1024

    buffer   | this layer: x, 1000 elements  | the next layer ...
             | scaled, as it should be       | 24 scaled | as before ...
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(x_ptr + i, x * factor)


def scale_in_place(x: torch.Tensor, factor: float) -> None:
    """Multiply every element of x by `factor`."""
    n = x.numel()
    BLOCK = 1024
    scale_kernel[(triton.cdiv(n, BLOCK),)](x, n, factor, BLOCK=BLOCK)
