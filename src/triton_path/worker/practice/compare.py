"""Compares an output with a reference in float64, with a tolerance that follows from the dtype."""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.grading import evaluate
from triton_path.worker.practice.data import roles

if TYPE_CHECKING:
    from triton_path.jobs.grading import Grading
    from triton_path.worker.practice.cases import PlannedCase
    from triton_path.worker.practice.data import Inputs

UNIT_ROUNDOFF = 2.0**-24
"""Of float32, in which results are expected to be accumulated."""
LAST_PLACES = 2
"""Units in the last place of the output's type that are tolerated."""


class ReferenceBroken(Exception):
    """reference.py did not give what the exercise says; the exercise is at fault."""


@dataclass(frozen=True)
class Expected:
    """What an output should be."""

    value: torch.Tensor
    """float64, or integers."""
    scale: torch.Tensor
    """float64: the magnitude that rounding is relative to, such as the sum of |terms|."""


@dataclass(frozen=True)
class Difference:
    """What a comparison gave."""

    wrong: torch.Tensor
    """bool: the elements outside of the tolerance."""
    worst: float
    """Largest difference over what is tolerated; infinity where one is not a number."""
    largest: float
    """Largest difference; NaN where one is not a number."""

    @property
    def ok(self) -> bool:
        """Whether every element is within the tolerance."""
        return not bool(self.wrong.any())


def expected(module: Any, grading: Grading, inputs: Inputs) -> list[Expected]:
    """Return what each output should be, from reference.py. Raises ReferenceBroken."""
    given = inputs.given(roles(grading), torch.float64)
    values = _as_list(module.reference(*given, **inputs.scalars))
    scales = values
    if hasattr(module, "scale"):
        given = inputs.given(roles(grading), torch.float64)
        scales = _as_list(module.scale(*given, **inputs.scalars))
    wanted = [tuple(inputs.tensors[name].shape) for name in inputs.outputs]
    if [tuple(value.shape) for value in values] != wanted:
        shapes = [tuple(value.shape) for value in values]
        raise ReferenceBroken(f"reference.py gives {shapes} where the outputs are {wanted}")
    return [
        Expected(value, scale.double().abs().expand(value.shape).clamp(min=0).contiguous())
        for value, scale in zip(values, scales, strict=True)
    ]


def _as_list(value: Any) -> list[torch.Tensor]:
    return list(value) if isinstance(value, tuple | list) else [value]


def compare(
    got: torch.Tensor, wanted: Expected, grading: Grading, planned: PlannedCase
) -> Difference:
    """Return where `got` differs from what was `wanted` by more than is tolerated.

    tolerance = slack * (2 units in the last place of |wanted| in got's dtype
                + 2^-24 * (4 + 4 * sqrt(accumulates)) * scale)

    The second term is the probabilistic bound on the rounding errors of a sum in float32 (Higham
    and Mary, SIAM J. Sci. Comput. 41(5), 2019: they grow with the square root of the number of
    terms), relative to the sum of the terms' magnitudes.
    """
    want, here = wanted.value, got.detach().to(wanted.value.device)
    if not here.dtype.is_floating_point:
        wrong = here.to(want.dtype) != want
        largest = float((here.double() - want.double()).abs().max()) if want.numel() else 0.0
        return Difference(wrong, math.inf if bool(wrong.any()) else 0.0, largest)
    value = here.double()
    rounded = want.to(here.dtype).double()  # what overflows the output's type is infinite in it
    allowed = tolerance(wanted, grading, planned, here.dtype)
    difference = (value - want).abs()
    same = (value == rounded) | (value.isnan() & rounded.isnan())
    wrong = ~(same | (difference <= allowed))
    finite = difference[~same]
    if finite.numel() == 0:
        return Difference(wrong, 0.0, 0.0)
    ratio = float((difference / allowed)[~same].max())
    return Difference(wrong, math.inf if math.isnan(ratio) else ratio, float(finite.max()))


def tolerance(
    wanted: Expected, grading: Grading, planned: PlannedCase, dtype: torch.dtype
) -> torch.Tensor:
    """Return the largest difference allowed for each element, as `compare` states."""
    limits = torch.finfo(dtype)
    terms = evaluate(grading.accumulates, planned.sizes)
    last_places = LAST_PLACES * limits.eps * wanted.value.abs().clamp(min=limits.tiny)
    accumulated = UNIT_ROUNDOFF * (4 + 4 * math.sqrt(terms)) * wanted.scale
    return grading.slack * (last_places + accumulated)


def tolerance_in_words(grading: Grading, planned: PlannedCase, dtype: torch.dtype) -> str:
    """Say the tolerance with its numbers."""
    if not dtype.is_floating_point:
        return "integers exactly"
    name = str(dtype).removeprefix("torch.")
    terms = evaluate(grading.accumulates, planned.sizes)
    part = UNIT_ROUNDOFF * (4 + 4 * math.sqrt(terms))
    count = f" ({terms} terms)" if terms > 1 else ""
    times = f", times {grading.slack:g}" if grading.slack != 1 else ""
    return f"{LAST_PLACES} units in the last place of {name} + {part:.1e} x magnitude{count}{times}"
