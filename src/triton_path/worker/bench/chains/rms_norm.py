"""RMSNorm as a chain; its kernels: kernels/rms_norm.py."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.chains.building import liger, row_chain
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.kernels import rms_norm as kernels

if TYPE_CHECKING:
    from triton_path.jobs.bench import Case, Shape
    from triton_path.worker.bench.chain import Chain, Tensors


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return x of shape (rows, width), weight of shape (width,)."""
    draw, size = Draw(device, seed), (shape.rows, shape.width)
    return {
        "x": draw.normal(*size, dtype=dtype, tiny_rows=True),
        "weight": draw.normal(shape.width, dtype=dtype),
    }


def reference(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return the chain in the dtype that it is given."""
    return weight * x * torch.rsqrt(x.pow(2).mean(-1, keepdim=True) + kernels.EPS)


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain; no case changes it."""
    peer = liger(
        "liger_rms_norm", lambda peer, x, weight: peer(x, weight, kernels.EPS, in_place=False)
    )
    return row_chain(name, about, kernels, inputs, reference, ("x",), peer)
