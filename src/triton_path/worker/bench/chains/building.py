"""What most chains have in common: eager, best eager, one Triton kernel, and a peer elsewhere."""

from __future__ import annotations

import importlib
import importlib.util
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

from triton_path.jobs.bench import BEST_EAGER, EAGER, FUSED, LIGER
from triton_path.worker.bench.chain import Chain, Provider

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    from triton_path.jobs.bench import Shape
    from triton_path.worker.bench.chain import Function, Tensors
    from triton_path.worker.kernels.step import Step

VERIFIED = ((1, 1), (5, 100), (3, 257), (4, 1024), (64, 96), (2, 4096))
"""Rows and width of what the interpreter verifies."""


@dataclass(frozen=True)
class Sides:
    """Eager, and all that stands beside it."""

    eager: Provider
    others: tuple[Provider, ...]


def sides(
    kernels: Any, sizes: Callable[[Tensors], tuple[int, int, int]], peer: tuple[Provider, ...] = ()
) -> Sides:
    """Return the providers of a kernel file; `sizes` gives rows, width, bytes of an element.

    The file has `eager`, `best_eager`, `fused` and `fused_steps`.
    """

    def steps(given: Tensors) -> list[Step]:
        found: list[Step] = kernels.fused_steps(*sizes(given))
        return found

    fused = Provider(FUSED, kernels.fused, steps=steps, exact=True, compiles=True)
    best = Provider(BEST_EAGER, kernels.best_eager, counted=True)
    return Sides(Provider(EAGER, kernels.eager, counted=True), (best, fused, *peer))


def row_chain(
    name: str,
    about: str,
    kernels: Any,
    inputs: Callable[[Shape, torch.dtype, str, int], Tensors],
    reference: Function,
    by_row: tuple[str, ...],
    peer: tuple[Provider, ...] = (),
) -> Chain:
    """Return the chain of a kernel file that gives one output, row by row; no case changes it."""
    both = sides(kernels, sizes_by(by_row[0]), peer)
    return Chain(
        name=name,
        about=about,
        inputs=inputs,
        outputs=("out",),
        reference=reference,
        eager=both.eager,
        others=both.others,
        by_row=by_row,
        interpreted=VERIFIED,
    )


def sizes_by(name: str) -> Callable[[Tensors], tuple[int, int, int]]:
    """Return what tells rows, width and bytes of an element by the argument `name`."""

    def sizes(given: Tensors) -> tuple[int, int, int]:
        tensor = given[name]
        return tensor.shape[0], tensor.shape[1], tensor.element_size()

    return sizes


def liger(function: str, call: Callable[..., Any]) -> tuple[Provider, ...]:
    """Return liger-kernel's peer where it is installed.

    `call` takes its function, then the arguments of the chain by name.
    """
    if importlib.util.find_spec("liger_kernel") is None:
        return ()

    def run(**given: Any) -> Any:
        functional = importlib.import_module("liger_kernel.transformers.functional")
        return call(getattr(functional, function), **given)

    return (Provider(LIGER, run, compiles=True, optional=True),)
