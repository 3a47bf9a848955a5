"""Adding two tensors as a chain of one operation; its kernels: kernels/vector_add.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.worker.bench.chain import Chain, Tensors
from triton_path.worker.bench.chains.building import VERIFIED, sides, sizes_by
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.kernels import vector_add as kernels

if TYPE_CHECKING:
    import torch

    from triton_path.jobs.bench import Case, Shape


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return a and b of shape (rows, width)."""
    draw, size = Draw(device, seed), (shape.rows, shape.width)
    return {"a": draw.normal(*size, dtype=dtype), "b": draw.normal(*size, dtype=dtype)}


def reference(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the chain in the dtype that it is given."""
    return a + b


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain; no case changes it."""
    both = sides(kernels, sizes_by("a"))
    return Chain(
        name=name,
        about=about,
        inputs=inputs,
        outputs=("out",),
        reference=reference,
        eager=both.eager,
        others=both.others,
        by_row=("a", "b"),
        interpreted=VERIFIED,
    )
