"""hunt-missing-mask, repairs the neighbour.

Fails for every n that is no multiple of 1024: the first launch saves the
neighbour's numbers and scales them, a second one puts them back. They may
be neither read nor written, and one launch is allowed.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, saved_ptr, n, factor, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    x = tl.load(x_ptr + i)
    tl.store(saved_ptr + i - n, x, mask=i >= n)
    tl.store(x_ptr + i, x * factor)


@triton.jit
def repair_kernel(x_ptr, saved_ptr, n, extra, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    saved = tl.load(saved_ptr + i, mask=i < extra)
    tl.store(x_ptr + n + i, saved, mask=i < extra)


def scale_in_place(x: torch.Tensor, factor: float) -> None:
    """Multiply every element of x by `factor`."""
    n = x.numel()
    BLOCK = 1024
    saved = torch.empty(BLOCK, dtype=x.dtype, device=x.device)
    scale_kernel[(triton.cdiv(n, BLOCK),)](x, saved, n, factor, BLOCK=BLOCK)
    repair_kernel[(1,)](x, saved, n, -n % BLOCK, BLOCK=BLOCK)
