"""hunt-autotune-in-place, tuned on clones.

Breaks the rule against copying with PyTorch: for each new n the kernel is
tuned on clones of p and m before it takes the step.
"""

import torch
import triton
import triton.language as tl

CONFIGS = [
    triton.Config({"BLOCK": 1024}, num_warps=4),
    triton.Config({"BLOCK": 4096}, num_warps=8),
]

_tuned = set()


@triton.autotune(configs=CONFIGS, key=["n"])
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

    def grid(meta):
        return (triton.cdiv(n, meta["BLOCK"]),)

    if n not in _tuned:
        momentum_kernel[grid](p.clone(), m.clone(), g, n, rate, beta)
        _tuned.add(n)
    momentum_kernel[grid](p, m, g, n, rate, beta)
