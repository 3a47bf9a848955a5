"""The boundary between two T5 sublayers as a chain; its kernels: kernels/fused_transformer.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import BEST_EAGER, CUDA, EAGER, FUSED, TEN_ROUNDS, RandomNumbers
from triton_path.worker.bench.backward import by_autograd
from triton_path.worker.bench.chain import (
    Backward,
    Chain,
    Dropout,
    Function,
    Outputs,
    Provider,
    Tensors,
    Traffic,
)
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.bench.timing import time_host
from triton_path.worker.kernels import fused_transformer as kernels
from triton_path.worker.kernels import fused_transformer_autograd as autograd

if TYPE_CHECKING:
    from triton_path.jobs.bench import Case, Shape
    from triton_path.worker.kernels.step import Step

REFERENCE_ROUNDS = 10
"""Philox rounds of PyTorch's own dropout; a run with fewer shows this row beside it."""


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return x and residual of shape (rows, width), weight of shape (width,)."""
    draw, size = Draw(device, seed), (shape.rows, shape.width)
    return {
        "x": draw.normal(*size, dtype=dtype, tiny_rows=True),
        "residual": draw.normal(*size, dtype=dtype, tiny_rows=True),
        "weight": draw.normal(shape.width, dtype=dtype),
    }


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain for the dropout and the Philox rounds of `case`."""
    p = case.dropout

    def reference(
        x: torch.Tensor,
        residual: torch.Tensor,
        weight: torch.Tensor,
        keep: torch.Tensor | None = None,
    ) -> Outputs:
        h = residual + (x if keep is None else x * keep / (1 - p))
        return h, h * torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + kernels.EPS) * weight

    def eager(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor) -> Outputs:
        return kernels.eager(x, residual, weight, p)

    def best_eager(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor) -> Outputs:
        return kernels.best_eager(x, residual, weight, p)

    others = [
        Provider(
            BEST_EAGER,
            best_eager,
            counted=True,
            # F.rms_norm is one kernel only from some release of PyTorch on.
            steps=lambda given: kernels.best_eager_steps(*_sizes(given), p),
        ),
        Provider(FUSED, _fused(p, case.rounds), steps=_fused_steps, exact=True, compiles=True),
    ]
    if p > 0 and case.rounds != REFERENCE_ROUNDS:
        ten = _fused(p, REFERENCE_ROUNDS)
        others.append(Provider(TEN_ROUNDS, ten, steps=_fused_steps, exact=True, compiles=True))
    others.append(_in_cuda(p, case.rounds))
    probe = {"x": 1.0, "residual": 0.0}
    return Chain(
        name=name,
        about=about,
        inputs=inputs,
        outputs=("h", "out"),
        reference=reference,
        eager=Provider(
            EAGER,
            eager,
            counted=True,
            steps=lambda given: kernels.eager_steps(*_sizes(given), p),
            exact=True,
        ),
        others=tuple(others),
        by_row=("x", "residual"),
        dropout=Dropout(p, probe, shows="h"),
        random=lambda: random_numbers(case.rounds),
        backward=Backward(
            wanted=("x", "residual", "weight"),
            least=_least_backward,
            # With d_h = 1 and d_out = 0 the gradient of x is the mask, scaled.
            dropout=Dropout(p, {**probe, "d_h": 1.0, "d_out": 0.0}, shows="d_x"),
            others=(_fused_backward(p, case.rounds),),
        ),
        interpreted=((1, 1), (5, 100), (3, 257), (4, 1024), (64, 96), (2, 4096)),
    )


def random_numbers(rounds: int) -> RandomNumbers:
    """Return what the fused kernel spends on its mask."""
    return RandomNumbers(
        rounds=rounds,
        threshold_bits=kernels.THRESHOLD_BITS,
        elements_per_call=kernels.ELEMENTS_PER_CALL,
        seed="drawn on the host from torch's CPU generator: no kernel, no bytes",
        seed_time=time_host(kernels.draw_seed),
    )


def _fused(p: float, rounds: int) -> Function:
    def fused(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor) -> Outputs:
        return kernels.fused(x, residual, weight, p, rounds=rounds)

    return fused


def _in_cuda(p: float, rounds: int) -> Provider:
    """Return the same in CUDA C++; where no compiler for it is, the table has a note instead."""

    def cuda(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor) -> Outputs:
        from triton_path.worker.kernels.fused_transformer_cuda import cuda as run

        return run(x, residual, weight, p, rounds=rounds)

    return Provider(CUDA, cuda, steps=_fused_steps, exact=True, compiles=True, optional=True)


def _fused_backward(p: float, rounds: int) -> Provider:
    def fused(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor) -> Outputs:
        return autograd.boundary(x, residual, weight, p, rounds=rounds)

    wanted = ("x", "residual", "weight")
    return Provider(FUSED, fused, compiles=True, prepare=by_autograd(fused, ("h", "out"), wanted))


def _sizes(given: Tensors) -> tuple[int, int, int]:
    """Return rows, width and bytes of an element."""
    x = given["x"]
    return x.shape[0], x.shape[1], x.element_size()


def _fused_steps(given: Tensors) -> list[Step]:
    return kernels.fused_steps(*_sizes(given))


def _least_backward(given: Tensors) -> Traffic:
    """Read h and the gradients of both outputs, write those of x and residual: five tensors."""
    rows, width, size = _sizes(given)
    own, weight = rows * width * size, width * size
    return Traffic(3 * own + weight, 2 * own + weight)
