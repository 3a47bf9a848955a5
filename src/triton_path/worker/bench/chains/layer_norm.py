"""LayerNorm as a chain; its kernels: kernels/layer_norm.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.chains.building import liger, row_chain
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.kernels import layer_norm as kernels

if TYPE_CHECKING:
    from triton_path.jobs.bench import Case, Shape
    from triton_path.worker.bench.chain import Chain, Tensors


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return x of shape (rows, width), weight and bias of shape (width,)."""
    draw, size = Draw(device, seed), (shape.rows, shape.width)
    return {
        "x": draw.normal(*size, dtype=dtype, tiny_rows=True),
        "weight": draw.normal(shape.width, dtype=dtype),
        "bias": draw.normal(shape.width, dtype=dtype),
    }


def reference(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Return the chain in the dtype that it is given."""
    centred = x - x.mean(-1, keepdim=True)
    variance = centred.pow(2).mean(-1, keepdim=True)
    return centred * torch.rsqrt(variance + kernels.EPS) * weight + bias


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain; no case changes it."""
    peer = liger(
        "liger_layer_norm", lambda peer, x, weight, bias: peer(x, weight, bias, kernels.EPS)
    )
    return row_chain(name, about, kernels, inputs, reference, ("x",), peer)
