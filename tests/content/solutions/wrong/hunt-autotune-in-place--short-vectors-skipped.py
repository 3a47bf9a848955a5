"""hunt-autotune-in-place, short vectors skipped.

Fails for n below 1024: n // BLOCK plus one for a remainder above a whole
block is a grid of 0, so nothing is changed.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def momentum_kernel(p_ptr, m_ptr, g_ptr, n, rate, beta, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    p = tl.load(p_ptr + i, mask=inside)
    m = tl.load(m_ptr + i, mask=inside)
    g = tl.load(g_ptr + i, mask=inside)
    m = beta * m + g
    tl.store(m_ptr + i, m, mask=inside)
    tl.store(p_ptr + i, p - rate * m, mask=inside)


def momentum_step(
    p: torch.Tensor,
    m: torch.Tensor,
    g: torch.Tensor,
    rate: float,
    beta: float,
) -> None:
    """Take one step of gradient descent with momentum."""
    n = p.numel()
    BLOCK = 1024
    programs = n // BLOCK
    if n > BLOCK and n % BLOCK:
        programs += 1
    if programs:
        momentum_kernel[(programs,)](p, m, g, n, rate, beta, BLOCK=BLOCK)
