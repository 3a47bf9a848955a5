"""hunt-autotune-in-place, heuristic block.

No trial runs: a heuristic chooses the block from n.
"""

import torch
import triton
import triton.language as tl


def block_for(arguments):
    return min(2048, max(16, triton.next_power_of_2(arguments["n"] // 8)))


@triton.heuristics({"BLOCK": block_for})
@triton.jit
def momentum_kernel(p_ptr, m_ptr, g_ptr, n, rate, beta, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    m = beta * tl.load(m_ptr + i, mask=inside) + tl.load(g_ptr + i, mask=inside)
    p = tl.load(p_ptr + i, mask=inside) - rate * m
    tl.store(p_ptr + i, p, mask=inside)
    tl.store(m_ptr + i, m, mask=inside)


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

    momentum_kernel[grid](p, m, g, n, rate, beta)
