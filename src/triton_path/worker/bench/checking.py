"""Checks a provider against float64; where a mask is drawn, under the mask that it drew itself.

Eager, torch.compile and Triton draw different masks from one seed. So each is seeded and run
twice: once with arguments that make it show its mask, and once with random data.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from math import isfinite
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.bench import Check
from triton_path.worker.bench.chain import as_tuple, tensors_of
from triton_path.worker.bench.comparing import Errors, compare
from triton_path.worker.bench.masks import mask_faults, probe_of, scale_faults

if TYPE_CHECKING:
    from triton_path.worker.bench.chain import Chain, Provider, Tensors

Expected = tuple[tuple[torch.Size, torch.dtype], ...]
"""Shape and dtype of each output."""

MOST_EAGER_ULPS = 4
NOTHING = "Nothing was compared."


@dataclass
class Observed:
    """What one provider did; errors are norms of the difference over norms of the reference."""

    errors: dict[str, Errors] = field(default_factory=dict)
    """Of each output that was compared, by its name."""
    keep_rate: float | None = None
    faults: list[str] = field(default_factory=list)


def expected_of(chain: Chain, tensors: Tensors) -> Expected:
    """Return shape and dtype of each output, as eager gives them."""
    with torch.no_grad():
        outputs = as_tuple(chain.eager.bind(tensors)())
    return tuple((output.shape, output.dtype) for output in outputs)


def observe(
    provider: Provider, chain: Chain, tensors: Tensors, expected: Expected, *, seed: int
) -> Observed:
    """Run a provider several times and compare it with float64."""
    seen = Observed()
    with torch.no_grad():
        mask = _mask(seen, provider, chain, tensors, seed) if chain.dropout else None
        if chain.dropout and mask is None:
            return seen
        if mask is None:
            # A result that is remembered must not be the right one.
            provider.bind(_halved(tensors))()
        given = {
            name: value.clone() if isinstance(value, torch.Tensor) else value
            for name, value in tensors.items()
        }
        torch.manual_seed(seed)
        call = provider.bind(given)
        _poison(expected, tensors)
        outputs = as_tuple(call())
    changed = [
        name for name, value in tensors_of(given).items() if not torch.equal(value, tensors[name])
    ]
    if changed:
        seen.faults.append("It changed its inputs.")
    if len(outputs) != len(chain.outputs):
        seen.faults.append(f"It returned {len(outputs)} tensors, not {len(chain.outputs)}.")
    for name, got, (shape, dtype) in zip(chain.outputs, outputs, expected, strict=False):
        if got.shape != shape or got.dtype != dtype:
            seen.faults.append(f"{name} is {tuple(got.shape)} of {got.dtype}.")
    if not seen.faults:
        seen.errors = compare(chain, dict(zip(chain.outputs, outputs, strict=True)), tensors, mask)
    return seen


def judge(
    seen: Observed, eager: Observed, held_to: torch.dtype | None = None, slack: float = 0.0
) -> Check:
    """Allow twice the error of eager plus one unit in the last place; NaN never passes.

    The last place is that of the output, or of `held_to`; `slack` is allowed in any case. Eager
    may not be wrong either: its error counts up to a few units in the last place.
    """
    faults = list(seen.faults)
    allowed = {}
    for name, off in seen.errors.items():
        held = torch.finfo(held_to).eps if held_to is not None else 0.0
        ulp = max(off.ulp, held, slack)
        beside = eager.errors.get(name, Errors(0.0, 0.0, ulp))
        allowed[name] = 2 * min(beside.whole, MOST_EAGER_ULPS * off.ulp) + ulp
        if not off.whole <= allowed[name]:
            faults.append(f"{name} is off by {off.whole:.1e}; {allowed[name]:.1e} is allowed.")
            continue
        allowed_row = 2 * beside.worst_row + ulp
        if not off.worst_row <= allowed_row:
            faults.append(
                f"One row of {name} is off by {off.worst_row:.1e}; {allowed_row:.1e} is allowed."
            )
    if not seen.errors and not faults:
        faults.append(NOTHING)
    return Check(
        errors={name: _finite(off.whole) for name, off in seen.errors.items()},
        allowed=allowed,
        keep_rate=seen.keep_rate,
        faults=tuple(faults),
    )


def _mask(
    seen: Observed, provider: Provider, chain: Chain, tensors: Tensors, seed: int
) -> torch.Tensor | None:
    """Recover the mask that the next call draws from `seed`, and look at it."""
    dropout = chain.dropout
    assert dropout is not None
    probe, place = probe_of(dropout, tensors), chain.outputs.index(dropout.shows)
    torch.manual_seed(seed)
    first, another = (as_tuple(provider.bind(probe)()) for _ in range(2))
    if len(first) != len(chain.outputs) or first[place].dim() != 2:
        seen.faults.append(f"It does not return {', '.join(chain.outputs)}.")
        return None
    dropped, next_one = first[place], another[place]
    like = next(tensors[name] for name in dropout.probe)
    if dropped.shape != like.shape:
        seen.faults.append(f"{dropout.shows} is {tuple(dropped.shape)} of {dropped.dtype}.")
        return None
    mask = dropped != 0
    seen.faults += mask_faults(mask, next_one != 0, dropout.p)
    seen.faults += scale_faults(dropped, mask, dropout.p)
    seen.keep_rate = mask.double().mean().item() if dropout.p > 0 else None
    return mask


def _halved(tensors: Tensors) -> dict[str, Any]:
    return {
        name: value * 0.5
        if isinstance(value, torch.Tensor) and value.is_floating_point()
        else value
        for name, value in tensors.items()
    }


def _poison(expected: Expected, tensors: Tensors) -> None:
    """Leave NaN in the memory that the allocator hands out next: unwritten outputs then show."""
    device = next(iter(tensors_of(tensors).values())).device
    blocks = [
        torch.full(shape, float("nan"), dtype=dtype, device=device)
        for shape, dtype in (*expected, *expected[:1])
        if dtype.is_floating_point
    ]
    del blocks


def _finite(value: float | None) -> float | None:
    """Return None for what is not a number: JSON has no NaN."""
    return value if value is not None and isfinite(value) else None
