"""hunt-autotune-in-place, two launches.

Two kernels, one after the other: the first brings the momentum up to date,
the second takes the step with it.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def gather_kernel(m_ptr, g_ptr, n, beta, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    m = tl.load(m_ptr + i, mask=i < n)
    g = tl.load(g_ptr + i, mask=i < n)
    tl.store(m_ptr + i, beta * m + g, mask=i < n)


@triton.autotune(configs=[triton.Config({"BLOCK": 128}, num_warps=1)], key=["n"])
@triton.jit
def step_kernel(p_ptr, m_ptr, n, rate, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    p = tl.load(p_ptr + i, mask=i < n)
    m = tl.load(m_ptr + i, mask=i < n)
    tl.store(p_ptr + i, p - rate * m, mask=i < n)


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
    gather_kernel[(triton.cdiv(n, BLOCK),)](m, g, n, beta, BLOCK=BLOCK)
    step_kernel[lambda meta: (triton.cdiv(n, meta["BLOCK"]),)](p, m, n, rate)
