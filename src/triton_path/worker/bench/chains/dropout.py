"""Dropout as a chain; its kernels: kernels/dropout.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.bench import BEST_EAGER, EAGER, FUSED
from triton_path.worker.bench.chain import Chain, Dropout, Function, Provider, Tensors
from triton_path.worker.bench.chains.building import VERIFIED, sizes_by
from triton_path.worker.bench.chains.fused_transformer import random_numbers
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.kernels import dropout as kernels

if TYPE_CHECKING:
    import torch

    from triton_path.jobs.bench import Case, Shape


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return x of shape (rows, width)."""
    return {"x": Draw(device, seed).normal(shape.rows, shape.width, dtype=dtype)}


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain for the probability and the Philox rounds of `case`."""
    p, sizes = case.dropout, sizes_by("x")

    def reference(x: torch.Tensor, keep: torch.Tensor | None = None) -> torch.Tensor:
        return x if keep is None else x * keep / (1 - p)

    fused = Provider(
        FUSED,
        _with(kernels.fused, p, rounds=case.rounds),
        steps=lambda given: kernels.fused_steps(*sizes(given)),
        exact=True,
        compiles=True,
    )
    return Chain(
        name=name,
        about=about,
        inputs=inputs,
        outputs=("out",),
        reference=reference,
        eager=Provider(EAGER, _with(kernels.eager, p), counted=True),
        others=(Provider(BEST_EAGER, _with(kernels.best_eager, p), counted=True), fused),
        by_row=("x",),
        dropout=Dropout(p, {"x": 1.0}, shows="out"),
        random=lambda: random_numbers(case.rounds),
        interpreted=VERIFIED,
    )


def _with(function: Function, p: float, **more: int) -> Function:
    def run(x: torch.Tensor) -> torch.Tensor:
        result: torch.Tensor = function(x, p, **more)
        return result

    return run
