"""The T5 boundary as an autograd Function: the forward and backward kernels, joined for eager use.

fused_transformer_op.py registers the same for torch.compile, which cannot see into a Function's
kernels; this one has less between the call and the launch.
"""

from __future__ import annotations

from typing import Any

import torch
from torch.autograd.function import once_differentiable

from triton_path.worker.kernels.fused_transformer import Pair, draw_seed, fused
from triton_path.worker.kernels.fused_transformer_backward import backward


class Boundary(torch.autograd.Function):
    """Saves the residual stream h, the weight and the seed; no mask, and nothing in float32."""

    @staticmethod
    def forward(
        ctx: Any,
        x: torch.Tensor,
        residual: torch.Tensor,
        weight: torch.Tensor,
        p: float,
        seed: int | torch.Tensor,
        rounds: int,
    ) -> Pair:
        """Return (h, out)."""
        h, out = fused(x, residual, weight, p, seed=seed, rounds=rounds)
        by_pointer = isinstance(seed, torch.Tensor)
        ctx.save_for_backward(h, weight, *([seed] if by_pointer else []))
        ctx.seed, ctx.p, ctx.rounds = None if by_pointer else seed, p, rounds
        ctx.set_materialize_grads(False)  # an unused h costs no tensor of zeros
        return h, out

    @staticmethod
    @once_differentiable
    def backward(
        ctx: Any, dh: torch.Tensor | None, dout: torch.Tensor | None
    ) -> tuple[torch.Tensor | None, ...]:
        """Return the gradients of x, residual and weight."""
        h, weight, *pointer = ctx.saved_tensors
        if dout is None and dh is None:
            return (None,) * 6
        dx, dresidual, dweight = backward(
            torch.zeros_like(h) if dout is None else side_by_side(dout),
            None if dh is None else side_by_side(dh),
            h,
            weight,
            ctx.p,
            seed=pointer[0] if pointer else ctx.seed,
            rounds=ctx.rounds,
        )
        return dx, dresidual, dweight, None, None, None


def side_by_side(gradient: torch.Tensor) -> torch.Tensor:
    """Return `gradient` with unit column stride: that of a sum is one number, expanded."""
    return gradient if gradient.stride(-1) == 1 else gradient.contiguous()


def boundary(
    x: torch.Tensor,
    residual: torch.Tensor,
    weight: torch.Tensor,
    p: float,
    *,
    seed: int | torch.Tensor | None = None,
    rounds: int = 7,
) -> Pair:
    """Return (h, out) like `fused`, with gradients for x, residual and weight.

    `seed` is drawn where it is None. For a CUDA graph give a tensor that a kernel in the graph
    fills (`draw_seed_on`): a number is recorded once, and every replay would draw the same mask.
    """
    chosen = draw_seed() if seed is None else seed
    h, out = Boundary.apply(x, residual, weight, p, chosen, rounds)  # type: ignore[no-untyped-call]
    return h, out
