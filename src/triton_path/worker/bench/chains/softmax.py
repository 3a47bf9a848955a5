"""The softmax of rows as a chain; its kernels: kernels/softmax.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.chain import Chain, Tensors
from triton_path.worker.bench.chains.building import VERIFIED, liger, sides, sizes_by
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.kernels import softmax as kernels

if TYPE_CHECKING:
    from triton_path.jobs.bench import Case, Shape


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return x of shape (rows, width)."""
    draw, size = Draw(device, seed), (shape.rows, shape.width)
    return {"x": draw.normal(*size, dtype=dtype)}


def reference(x: torch.Tensor) -> torch.Tensor:
    """Return the chain in the dtype that it is given."""
    return torch.softmax(x, -1)


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain; no case changes it."""
    both = sides(kernels, sizes_by("x"), liger("liger_softmax", lambda peer, x: peer(x)))
    return Chain(
        name=name,
        about=about,
        inputs=inputs,
        outputs=("out",),
        reference=reference,
        eager=both.eager,
        others=both.others,
        by_row=("x",),
        interpreted=VERIFIED,
    )
