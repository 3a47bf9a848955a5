"""A vector scaled by a kernel that tunes itself: what autotuning costs, and when it happens.

    out = x * factor        x, out (n,)

One launch, eight bytes an element in float32, bound by memory. The reference is `x * factor`.
Triton tries every configuration at the first call, and again whenever a value named in `key` is
new. `step` is such a value although nothing depends on it: the mistake that the bench shows.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

BLOCKS = (512, 1024, 2048, 4096)


@triton.autotune(configs=[triton.Config({"BLOCK": block}) for block in BLOCKS], key=["n", "step"])
@triton.jit
def scale_kernel(
    x_ptr: tl.tensor,
    out_ptr: tl.tensor,
    factor: tl.float32,
    n: tl.tensor,
    step: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """Scale BLOCK elements."""
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out_ptr + i, tl.load(x_ptr + i, mask=i < n) * factor, mask=i < n)


def scale(x: torch.Tensor, factor: float, *, step: int) -> torch.Tensor:
    """Return x * factor; tunes anew for each `step` that it has not seen. x: (n,), contiguous."""
    out = torch.empty_like(x)
    n = x.numel()
    scale_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](x, out, factor, n, step)
    return out
