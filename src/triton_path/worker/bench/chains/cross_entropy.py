"""The loss of a language model as a chain; its kernels: kernels/cross_entropy.py."""

from __future__ import annotations

from dataclasses import replace
from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F  # noqa: N812 -- PyTorch's own convention

from triton_path.jobs.bench import FUSED
from triton_path.worker.bench.backward import whole_by_autograd
from triton_path.worker.bench.chain import Backward, Chain, Provider, Tensors
from triton_path.worker.bench.chains.building import liger, sides, sizes_by
from triton_path.worker.bench.drawing import Draw
from triton_path.worker.kernels import cross_entropy as kernels

if TYPE_CHECKING:
    from triton_path.jobs.bench import Case, Shape

IGNORED = 7
"""Each so many-th row is left out of the mean."""


def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
    """Return logits of shape (rows, vocabulary) and a target for each row."""
    draw = Draw(device, seed)
    logits = draw.normal(shape.rows, shape.width, dtype=dtype)
    targets = draw.integers(shape.width, shape.rows)
    targets[IGNORED - 1 :: IGNORED] = kernels.IGNORE
    return {"logits": logits, "targets": targets}


def reference(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return the mean loss in the dtype of the logits."""
    return F.cross_entropy(logits, targets, ignore_index=kernels.IGNORE)


def best_eager(logits: torch.Tensor, targets: torch.Tensor) -> torch.Tensor:
    """Return PyTorch's loss in the logits' dtype, made float32 as that of all others is."""
    return kernels.best_eager(logits, targets).to(torch.float32)


def chain(case: Case, name: str, about: str) -> Chain:
    """Return the chain; its backward is the forward and the backward together."""
    peer = liger("liger_cross_entropy", lambda call, logits, targets: call(logits, targets))
    sizes = sizes_by("logits")
    both = sides(kernels, sizes, peer)
    dtype = getattr(torch, case.dtype)
    best, *rest = both.others
    best = replace(best, function=best_eager, held_to=dtype)
    return Chain(
        name=name,
        about=about,
        inputs=inputs,
        outputs=("loss",),
        reference=reference,
        eager=both.eager,
        others=(best, *rest),
        backward=Backward(
            wanted=("logits",),
            together=True,
            others=(_training(sizes),),
        ),
        interpreted=((1, 2), (5, 100), (3, 257), (4, 1024), (64, 96), (2, 4096)),
    )


def _training(sizes: Any) -> Provider:
    """Return the fused kernel that takes the gradient along with the loss."""
    return Provider(
        FUSED,
        kernels.fused,
        steps=lambda given: kernels.training_steps(*sizes(given)),
        exact=True,
        compiles=True,
        prepare=whole_by_autograd(kernels.fused, ("loss",), ("logits",)),
    )
