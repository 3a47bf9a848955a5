"""SwiGLU as a chain; its kernels: kernels/swiglu.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.chains.building import liger, row_chain
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.kernels import swiglu as kernels

if TYPE_CHECKING:
    from triton_path.jobs.bench import Case, Shape
    from triton_path.worker.bench.chain import Chain, Tensors


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return gate and up of shape (rows, width)."""
    draw, size = Draw(device, seed), (shape.rows, shape.width)
    return {"gate": draw.normal(*size, dtype=dtype), "up": draw.normal(*size, dtype=dtype)}


def reference(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    """Return the chain in the dtype that it is given."""
    return gate * torch.sigmoid(gate) * up


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain; no case changes it."""
    peer = liger("liger_swiglu", lambda peer, gate, up: peer(gate, up))
    return row_chain(name, about, kernels, inputs, reference, ("gate", "up"), peer)
