"""Arguments of a chain in words."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.bench import Shape

if TYPE_CHECKING:
    from triton_path.worker.bench.chain import Tensors


def described(tensors: Tensors) -> dict[str, str]:
    """Return shape and dtype of each tensor, and the numbers, as text."""
    return {name: _described(value) for name, value in tensors.items()}


def _described(value: Any) -> str:
    if not isinstance(value, torch.Tensor):
        return repr(value) if isinstance(value, int | float | bool | str) else type(value).__name__
    size = "x".join(map(str, value.shape)) or "1"
    return f"{size} {str(value.dtype).removeprefix('torch.')}"


def shape_of(tensors: Tensors) -> Shape:
    """Return rows and width of the largest tensor: what a size is called by."""
    found = [value for value in tensors.values() if isinstance(value, torch.Tensor)]
    largest = max(found, key=torch.Tensor.numel)
    width = largest.shape[-1] if largest.dim() else 1
    return Shape(rows=max(1, largest.numel() // max(1, width)), width=max(1, width))
