"""Adding two tensors as a chain of one operation; its kernels: kernels/vector_add.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.worker.bench.chains.building import row_chain
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.kernels import vector_add as kernels

if TYPE_CHECKING:
    import torch

    from triton_path.jobs.bench import Case, Shape
    from triton_path.worker.bench.chain import Chain, Tensors


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return a and b of shape (rows, width)."""
    draw, size = Draw(device, seed), (shape.rows, shape.width)
    return {"a": draw.normal(*size, dtype=dtype), "b": draw.normal(*size, dtype=dtype)}


def reference(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the chain in the dtype that it is given."""
    return a + b


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain; no case changes it."""
    return row_chain(name, about, kernels, inputs, reference, ("a", "b"))
