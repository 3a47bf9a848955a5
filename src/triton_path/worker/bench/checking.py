"""Checks a provider against float64 under the dropout mask that the provider drew itself.

Eager, torch.compile and Triton draw different masks from one seed. So each is seeded and run
twice: once with x = 1 and residual = 0, where h shows its mask, and once with random data.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite, sqrt
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import Check
from triton_path.worker.kernels.fused_transformer import EPS

if TYPE_CHECKING:
    from triton_path.worker.bench.problem import Inputs, Run

MOST_SIGMAS = 6.0
"""A fair mask is further than this from its expectation once in 500 million tests."""
MOST_EAGER_ULPS = 4
CHUNK = 1 << 24
"""Elements compared at a time: float64 copies of a whole tensor may not fit."""


@dataclass
class Observed:
    """What one provider did; errors are norms of the difference over norms of the reference."""

    error: dict[str, float] = field(default_factory=dict)
    """Of `h` and `out`, over the whole tensor."""
    worst_row: dict[str, float] = field(default_factory=dict)
    """The same of the worst row: one wrong row in 16384 hardly moves the whole."""
    keep_rate: float | None = None
    faults: list[str] = field(default_factory=list)


def observe(run: Run, inputs: Inputs, p: float, *, seed: int) -> Observed:
    """Run a provider four times and compare it with float64."""
    seen = Observed()
    x, residual, weight = inputs.x, inputs.residual, inputs.weight
    ones, zeros = torch.ones_like(x), torch.zeros_like(residual)
    with torch.no_grad():
        torch.manual_seed(seed)
        dropped = run(ones, zeros, weight)[0]
        another = run(ones, zeros, weight)[0]
        mask = dropped != 0
        seen.faults += mask_faults(mask, another != 0, p) + scale_faults(dropped, mask, p)
        seen.keep_rate = mask.double().mean().item() if p > 0 else None
        del dropped, another
        given = (x.clone(), residual.clone(), weight.clone())
        torch.manual_seed(seed)
        _poison(x)
        h, out = run(*given)
    if not all(torch.equal(a, b) for a, b in zip(given, (x, residual, weight), strict=True)):
        seen.faults.append("It changed its inputs.")
    for name, got in (("h", h), ("out", out)):
        if got.shape != x.shape or got.dtype != x.dtype:
            seen.faults.append(f"{name} is {tuple(got.shape)} of {got.dtype}.")
    if not seen.faults:
        _compare(seen, h, out, inputs, mask, p)
    return seen


def judge(seen: Observed, eager: Observed, dtype: torch.dtype) -> Check:
    """Allow twice the error of eager plus one unit in the last place; NaN never passes.

    Eager may not be wrong either: its error counts up to a few units in the last place.
    """
    ulp = torch.finfo(dtype).eps
    faults = list(seen.faults)
    allowed = {}
    for name in ("h", "out"):
        allowed[name] = 2 * min(eager.error.get(name, 0.0), MOST_EAGER_ULPS * ulp) + ulp
        error = seen.error.get(name, float("nan"))
        if seen.error and not error <= allowed[name]:
            faults.append(f"{name} is off by {error:.1e}; {allowed[name]:.1e} is allowed.")
        row = seen.worst_row.get(name, float("nan"))
        allowed_row = 2 * eager.worst_row.get(name, 0.0) + ulp
        if seen.error and error <= allowed[name] and not row <= allowed_row:
            faults.append(f"One row of {name} is off by {row:.1e}; {allowed_row:.1e} is allowed.")
    if not seen.error and not faults:
        faults.append("Nothing was compared.")
    return Check(
        error_h=_finite(seen.error.get("h")),
        error_out=_finite(seen.error.get("out")),
        allowed_h=allowed["h"],
        allowed_out=allowed["out"],
        keep_rate=seen.keep_rate,
        faults=tuple(faults),
    )


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


def _poison(like: torch.Tensor) -> None:
    """Leave NaN in the memory that the allocator hands out next: unwritten outputs then show."""
    nan = float("nan")
    blocks = [torch.full(like.shape, nan, dtype=like.dtype, device=like.device) for _ in range(3)]
    del blocks


def _compare(
    seen: Observed,
    h: torch.Tensor,
    out: torch.Tensor,
    inputs: Inputs,
    mask: torch.Tensor,
    p: float,
) -> None:
    """Fill in the errors of `h` and `out`, a few rows at a time."""
    rows, width = inputs.x.shape
    step = max(1, CHUNK // width)
    weight = inputs.weight.double()
    off = {"h": [0.0, 0.0], "out": [0.0, 0.0]}
    seen.worst_row = {"h": 0.0, "out": 0.0}
    for first in range(0, rows, step):
        part = slice(first, first + step)
        kept = inputs.x[part].double() * mask[part] / (1 - p)
        true_h = inputs.residual[part].double() + kept
        true_out = true_h * torch.rsqrt(true_h.pow(2).mean(-1, keepdim=True) + EPS) * weight
        for name, got, true in (("h", h[part], true_h), ("out", out[part], true_out)):
            wrong, size = (got.double() - true).pow(2).sum(-1), true.pow(2).sum(-1)
            off[name][0] += wrong.sum().item()
            off[name][1] += size.sum().item()
            row = (wrong / size.clamp_min(1e-300)).max().item()
            # max() of Python drops a NaN in its second place.
            if not sqrt(row) <= seen.worst_row[name]:
                seen.worst_row[name] = sqrt(row)
    seen.error = {name: sqrt(wrong / max(size, 1e-300)) for name, (wrong, size) in off.items()}


def _finite(value: float | None) -> float | None:
    """Return None for what is not a number: JSON has no NaN."""
    return value if value is not None and isfinite(value) else None
