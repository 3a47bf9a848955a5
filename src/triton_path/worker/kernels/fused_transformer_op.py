"""The T5 boundary as operators of torch: opaque to torch.compile, but with shapes and gradients.

Both operators are functional: the seed is an input like any other, and nothing is changed in
place. It is a tensor, so that its value may come from a kernel. That is what makes one definition
serve everywhere:

    CUDA graphs       the draw is recorded, its value is not: each replay has a mask of its own
    checkpointing     torch restores the generator before it computes again: the same mask
    torch.compile     the draw is an operation that the compiler knows, the rest one call
"""

from __future__ import annotations

from typing import Any

import torch

from triton_path.worker.kernels.fused_transformer import Pair, draw_seed_on, fused
from triton_path.worker.kernels.fused_transformer_autograd import side_by_side
from triton_path.worker.kernels.fused_transformer_backward import Triple, backward


def sublayer_boundary(
    x: torch.Tensor,
    residual: torch.Tensor,
    weight: torch.Tensor,
    p: float,
    *,
    seed: torch.Tensor | None = None,
    rounds: int = 7,
) -> Pair:
    """Return h = residual + dropout(x) and its RMSNorm by weight, with gradients.

    x, residual: (..., width) of one dtype; weight: (width,). `seed`: an int64 tensor of one
    element on their device; where it is None one is drawn from torch's generator of that device.
    """
    if seed is None:
        seed = draw_seed_on(x.device)
    width = x.shape[-1]
    rows = [side_by_side(each.reshape(-1, width)) for each in (x, residual)]
    h, out = boundary_op(*rows, weight, seed, p, rounds)
    return h.view(x.shape), out.view(x.shape)


@torch.library.custom_op(
    "triton_path::sublayer_boundary",
    mutates_args=(),
    schema="(Tensor x, Tensor residual, Tensor weight, Tensor seed, float p, int rounds)"
    " -> (Tensor, Tensor)",
)
def boundary_op(
    x: torch.Tensor,
    residual: torch.Tensor,
    weight: torch.Tensor,
    seed: torch.Tensor,
    p: float,
    rounds: int,
) -> Pair:
    """Return (h, out) of rows; see `fused`."""
    return fused(x, residual, weight, p, seed=seed, rounds=rounds)


@torch.library.custom_op(
    "triton_path::sublayer_boundary_backward",
    mutates_args=(),
    schema="(Tensor dout, Tensor? dh, Tensor h, Tensor weight, Tensor seed, float p, int rounds)"
    " -> (Tensor, Tensor, Tensor)",
)
def boundary_backward_op(
    dout: torch.Tensor,
    dh: torch.Tensor | None,
    h: torch.Tensor,
    weight: torch.Tensor,
    seed: torch.Tensor,
    p: float,
    rounds: int,
) -> Triple:
    """Return (dx, dresidual, dweight); see `backward`."""
    dout, dh = side_by_side(dout), None if dh is None else side_by_side(dh)
    return backward(dout, dh, h, weight, p, seed=seed, rounds=rounds)


@boundary_op.register_fake
def _(
    x: torch.Tensor,
    residual: torch.Tensor,
    weight: torch.Tensor,
    seed: torch.Tensor,
    p: float,
    rounds: int,
) -> Pair:
    return _dense(x), _dense(x)


@boundary_backward_op.register_fake
def _(
    dout: torch.Tensor,
    dh: torch.Tensor | None,
    h: torch.Tensor,
    weight: torch.Tensor,
    seed: torch.Tensor,
    p: float,
    rounds: int,
) -> Triple:
    return _dense(h), _dense(h), _dense(weight)


def _dense(like: torch.Tensor) -> torch.Tensor:
    return torch.empty_like(like, memory_format=torch.contiguous_format)


def _save(ctx: Any, inputs: tuple[Any, ...], output: Pair) -> None:
    _, _, weight, seed, ctx.p, ctx.rounds = inputs
    ctx.save_for_backward(output[0], weight, seed)
    ctx.set_materialize_grads(False)


def _differentiate(
    ctx: Any, dh: torch.Tensor | None, dout: torch.Tensor | None
) -> tuple[torch.Tensor | None, ...]:
    h, weight, seed = ctx.saved_tensors
    if dout is None and dh is None:
        return (None,) * 6
    dout = torch.zeros_like(h) if dout is None else dout
    return (*boundary_backward_op(dout, dh, h, weight, seed, ctx.p, ctx.rounds), None, None, None)


boundary_op.register_autograd(_differentiate, setup_context=_save)
