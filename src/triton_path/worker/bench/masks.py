"""Whether a dropout mask is random: its rate, its rows, its neighbours, and the one after it."""

from __future__ import annotations

from math import sqrt
from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from triton_path.worker.bench.chain import Dropout, Tensors

MOST_SIGMAS = 6.0
"""A fair mask is further than this from its expectation once in 500 million tests."""


def probe_of(dropout: Dropout, tensors: Tensors) -> Tensors:
    """Return the arguments that make a provider show its mask."""
    filled = {name: torch.full_like(tensors[name], value) for name, value in dropout.probe.items()}
    rest = {
        name: value.clone() if isinstance(value, torch.Tensor) else value
        for name, value in tensors.items()
        if name not in filled
    }
    return {name: filled.get(name, rest.get(name)) for name in tensors}


def mask_faults(mask: torch.Tensor, other: torch.Tensor, p: float) -> list[str]:
    """Say what is not random in `mask`; `other` is the mask of the launch after it.

    Pairs do not overlap, so the number that agree is binomial with q = (1 - p)^2 + p^2.
    """
    if p == 0:
        return [] if bool(mask.all()) else ["Elements are dropped with p = 0."]
    rows, width = (size // 2 * 2 for size in mask.shape)
    agree = (1 - p) ** 2 + p**2
    tests = {
        "The keep rate": (mask, 1 - p),
        "Agreement of neighbouring rows": (mask[0:rows:2] == mask[1:rows:2], agree),
        "Agreement of neighbours in a row": (mask[:, 0:width:2] == mask[:, 1:width:2], agree),
        "Agreement of two launches": (mask == other, agree),
    }
    faults = []
    for name, (hits, expected) in tests.items():
        n = hits.numel()
        if n == 0:
            continue
        rate = hits.double().mean().item()
        # Half a hit more: the binomial of a handful of elements is no normal distribution.
        bound = MOST_SIGMAS * sqrt(expected * (1 - expected) / n) + 0.5 / n
        if abs(rate - expected) > bound:
            faults.append(f"{name} is {rate:.4f}; {expected:.4f} +- {bound:.4f} is random.")
    return faults


def scale_faults(dropped: torch.Tensor, mask: torch.Tensor, p: float) -> list[str]:
    """Say so where a kept 1 did not become 1 / (1 - p)."""
    kept = dropped[mask].double()
    scale = 1 / (1 - p)
    bound = scale * torch.finfo(dropped.dtype).eps
    if kept.numel() and not (kept - scale).abs().max().item() <= bound:
        worst = kept[(kept - scale).abs().argmax()].item()
        return [f"A kept 1 became {worst:.4f}, not {scale:.4f}."]
    return []
