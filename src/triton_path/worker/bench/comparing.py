"""How far outputs are from the chain in float64: over all, and in the worst row."""

from __future__ import annotations

from dataclasses import dataclass
from math import sqrt
from typing import TYPE_CHECKING, Any

import torch

from triton_path.worker.bench.chain import as_tuple

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.worker.bench.chain import Chain, Outputs, Tensors

CHUNK = 1 << 24
"""Elements compared at a time: float64 copies of a whole tensor may not fit."""
LEAST = 1e-300
"""Of a norm, so that a reference of zeros divides nothing."""


@dataclass(frozen=True)
class Errors:
    """Norm of the difference over norm of the reference."""

    whole: float
    worst_row: float
    """Of one row: one wrong row in 16384 hardly moves the whole."""
    ulp: float
    """One unit in the last place of the output's dtype, relative."""


def compare(
    chain: Chain, got: dict[str, torch.Tensor], tensors: Tensors, mask: torch.Tensor | None
) -> dict[str, Errors]:
    """Return the errors of each output, a few rows at a time where rows are independent."""
    wrong = dict.fromkeys(got, 0.0)
    size = dict.fromkeys(got, 0.0)
    worst = dict.fromkeys(got, 0.0)
    with torch.no_grad():
        for part in _parts(chain, tensors):
            kept = mask if mask is None or part is None else mask[part]
            true = _true(chain, tensors, part, kept)
            for (name, value), exact in zip(got.items(), true, strict=True):
                here = value if part is None else value[part]
                off, norm, row = _errors(here, exact.to(torch.float64))
                wrong[name] += off
                size[name] += norm
                # max() of Python drops a NaN in its second place.
                if not row <= worst[name]:
                    worst[name] = row
    return {
        name: Errors(sqrt(wrong[name] / max(size[name], LEAST)), worst[name], _ulp(value.dtype))
        for name, value in got.items()
    }


def _parts(chain: Chain, tensors: Tensors) -> Iterator[slice | None]:
    """Give slices of rows, or None alone for everything at once."""
    if not chain.by_row:
        yield None
        return
    first = tensors[chain.by_row[0]]
    step = max(1, CHUNK // max(1, first[0].numel()))
    for start in range(0, first.shape[0], step):
        yield slice(start, start + step)


def _true(chain: Chain, tensors: Tensors, part: slice | None, mask: torch.Tensor | None) -> Outputs:
    given: dict[str, Any] = {}
    for name, value in tensors.items():
        own = value[part] if part is not None and name in chain.by_row else value
        wide = isinstance(own, torch.Tensor) and own.is_floating_point()
        given[name] = own.double() if wide else own
    if chain.reference is None:
        return as_tuple(chain.eager.bind(given)())
    keep = {} if mask is None else {"keep": mask}
    return as_tuple(chain.reference(**given, **keep))


def _errors(got: torch.Tensor, true: torch.Tensor) -> tuple[float, float, float]:
    """Return squares of the difference, squares of the reference, and the worst row's error."""
    off, norm = (got.double() - true).pow(2), true.pow(2)
    if true.dim() < 2:
        # A row is one number here: near zero it is held to the size of its neighbours.
        rows, sizes = off, norm.clamp_min(norm.mean().item()) if norm.numel() else norm
    else:
        rows, sizes = off.flatten(0, -2).sum(-1), norm.flatten(0, -2).sum(-1)
    # Equal infinities differ by NaN; the reference has none that a right kernel would share.
    row = (rows / sizes.clamp_min(LEAST)).max().item() if rows.numel() else 0.0
    return off.sum().item(), norm.sum().item(), sqrt(row) if row == row else row


def _ulp(dtype: torch.dtype) -> float:
    return torch.finfo(dtype).eps if dtype.is_floating_point else 0.0
