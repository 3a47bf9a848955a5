"""hunt-missing-mask, spread lanes.

A program's lanes do not lie side by side: they are as many elements apart
as there are programs.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(x_ptr, n, factor, BLOCK: tl.constexpr):
    programs = tl.num_programs(0).to(tl.int64)
    i = tl.program_id(0) + tl.arange(0, BLOCK) * programs
    inside = i < n
    x = tl.load(x_ptr + i, mask=inside, other=0.0)
    tl.store(x_ptr + i, x * factor, mask=inside)


def scale_in_place(x: torch.Tensor, factor: float) -> None:
    """Multiply every element of x by `factor`."""
    n = x.numel()
    BLOCK = 128
    scale_kernel[(triton.cdiv(n, BLOCK),)](x, n, factor, BLOCK=BLOCK)
