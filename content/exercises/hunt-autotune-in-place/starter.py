"""hunt-autotune-in-place: find why the first training step is a leap.

What is reported
    "A step of an optimiser, in one kernel. Since I put autotune on it,
    the loss jumps in the first step, and all later steps are right.
    With a fixed block size the loss falls from the start. Each new size
    of parameter brings one such jump."

Formula
    m[i] = beta * m[i] + g[i]
    p[i] = p[i] - rate * m[i]      with the new m[i],  for 0 <= i < n

Arguments
    p      float32, n parameters, contiguous: changed in place
    m      float32, n elements, contiguous: the momentum, changed in place
    g      float32, n elements, contiguous: the gradient
    rate   float, the learning rate
    beta   float, how much of the momentum is kept

You may assume
    n is 1 or more. It need not be a multiple of a block.
    p, m and g do not overlap.

Not allowed
    Computing or copying with PyTorch.

Picture
    Steps that p has taken since the start of the training

    call             1st   2nd   3rd
    wanted             1     2     3
    fixed block        1     2     3
    with autotune     57    58    59      or some other large number
"""

import torch
import triton
import triton.language as tl

CONFIGS = [
    triton.Config({"BLOCK": 1024}, num_warps=4),
    triton.Config({"BLOCK": 2048}, num_warps=4),
    triton.Config({"BLOCK": 4096}, num_warps=8),
]


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

    momentum_kernel[grid](p, m, g, n, rate, beta)
