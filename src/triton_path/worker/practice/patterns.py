"""Names what wrong elements have in common: within one output, and from case to case."""

from __future__ import annotations

import operator
from collections.abc import Callable
from functools import partial
from itertools import pairwise
from typing import TYPE_CHECKING

import torch

from triton_path.worker.practice.cases import PlannedCase

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triton_path.worker.practice.compare import Expected

CLOSE = 1e-2
"""Relative difference up to which two wrong results count as the same in a pattern."""


def in_values(
    got: torch.Tensor,
    wanted: Expected,
    wrong: torch.Tensor,
    inputs: dict[str, torch.Tensor],
    earlier: Sequence[torch.Tensor],
) -> list[str]:
    """Return sentences about one output, the most telling first.

    `wrong` marks its wrong elements, `inputs` are the tensors that were given, and `earlier` what
    the same output should have been in earlier cases of its shape.
    """
    value, want = got.detach().double(), wanted.value.double()
    return [*_of_whole(value, want, wrong, inputs, earlier), *_of_places(wrong)]


def _of_whole(
    value: torch.Tensor,
    want: torch.Tensor,
    wrong: torch.Tensor,
    inputs: dict[str, torch.Tensor],
    earlier: Sequence[torch.Tensor],
) -> Iterator[str]:
    here, there = value[wrong], want[wrong]
    if bool((here == 0).all()):
        yield "every wrong element is zero"
    elif bool(here.isnan().all()):
        yield "every wrong element is NaN"
    elif bool(here.isinf().all()):
        yield "every wrong element is infinite"
    for before in earlier:
        if before.shape == value.shape and _alike(value, before.double()):
            yield "it is the result of an earlier case of this shape"
            return
    for name, tensor in inputs.items():
        if tensor.shape == value.shape and bool((tensor.double() == value).all()):
            yield f"it is {name} itself"
            return
    if wrong.numel() < 2:
        return
    if value.dim() == 2 and _alike(value.reshape(value.shape[::-1]).T, want):
        yield "it is transposed"
    flat, flat_want = value.reshape(-1), want.reshape(-1)
    for shift, words in ((1, "one element late"), (-1, "one element early")):
        if flat.numel() > 3 and _alike(_cut(flat, -shift), _cut(flat_want, shift)):
            yield f"every element stands {words}"
    if here.numel() > 1 and bool(there.ne(0).all()):
        ratio = here / there
        middle = float(ratio.median())
        if bool(ratio.isfinite().all()) and _spread(ratio) < CLOSE * abs(middle) and middle:
            yield f"every wrong element is about {middle:.3g} times what is expected"
            return
    if here.numel() > 1:
        gap = here - there
        middle = float(gap.median())
        if bool(gap.isfinite().all()) and middle and _spread(gap) < CLOSE * abs(middle):
            yield f"every wrong element is off by about {middle:.3g}"


def _cut(flat: torch.Tensor, shift: int) -> torch.Tensor:
    """Leave out elements at the end (shift > 0) or at the start."""
    return flat[:-shift] if shift > 0 else flat[-shift:]


def _alike(left: torch.Tensor, right: torch.Tensor) -> bool:
    if left.shape != right.shape or not left.numel():
        return False
    return bool(torch.isclose(left, right, rtol=CLOSE, atol=1e-6, equal_nan=True).all())


def _spread(values: torch.Tensor) -> float:
    return float(values.max() - values.min())


def _of_places(wrong: torch.Tensor) -> Iterator[str]:
    if bool(wrong.all()):
        yield "every element is wrong"
        return
    if wrong.dim() == 0:
        return
    yield from _of_axis(wrong, wrong.dim() - 1, "column" if wrong.dim() > 1 else "element")
    if wrong.dim() > 1:
        yield from _of_axis(wrong, wrong.dim() - 2, "row")
    if wrong.dim() > 2:
        yield from _of_axis(wrong, 0, "batch")


def _of_axis(wrong: torch.Tensor, axis: int, name: str) -> Iterator[str]:
    others = [dim for dim in range(wrong.dim()) if dim != axis]
    hit = wrong.permute(axis, *others).reshape(wrong.shape[axis], -1).any(1)
    numbers = [int(number) for number in hit.nonzero().reshape(-1)]
    size = wrong.shape[axis]
    if len(numbers) in (0, size):
        return
    first, last = numbers[0], numbers[-1]
    if len(numbers) == 1:
        where = (
            "the last" if first == size - 1 else "the first" if first == 0 else f"{name} {first}"
        )
        yield f"only {where}{f' {name}' if where.startswith('the') else ''} is wrong"
    elif len(numbers) == last - first + 1 and last == size - 1:
        yield f"wrong from {name} {first} on, right before"
    elif len(numbers) == last - first + 1 and first == 0:
        yield f"right from {name} {last + 1} on, wrong before"
    else:
        steps = {after - before for before, after in pairwise(numbers)}
        if len(steps) == 1 and len(numbers) > 2:
            yield f"every {_ordinal(steps.pop())} {name} is wrong, from {first} on"


def _ordinal(number: int) -> str:
    names = {1: "", 2: "second", 3: "third", 4: "fourth", 8: "eighth"}
    return names.get(number, f"{number}th")


def across_cases(right: Sequence[PlannedCase], wrong: Sequence[PlannedCase]) -> list[str]:
    """Return what tells the cases that fail from those that pass, if one property does."""
    if not right or not wrong:
        return []
    found = []
    for name, holds in _properties([*right, *wrong]):
        if all(map(holds, wrong)) and not any(map(holds, right)):
            found.append(f"only {name}")
    return found[:2]


Holds = Callable[[PlannedCase], bool]
POWERS = (1024, 512, 256, 128, 64, 32, 16)


def _properties(cases: Sequence[PlannedCase]) -> Iterator[tuple[str, Holds]]:
    """Yield what may tell cases apart, in words and as a test, the simplest first."""
    for dtype in dict.fromkeys(case.dtype for case in cases):
        yield f"in {dtype}", partial(_has_dtype, dtype)
    for layout in dict.fromkeys(kind for case in cases for kind in case.case.layouts.values()):
        yield f"where a tensor is {layout}", partial(_has_layout, layout)
    yield "where a tensor is not contiguous", lambda case: bool(case.case.layouts)
    for values in dict.fromkeys(kind for case in cases for kind in case.case.values.values()):
        yield f"where values are {values}", partial(_has_values, values)
    for size in cases[0].sizes:
        yield from _of_size(size, sorted({case.sizes[size] for case in cases}))
    for one, other in pairwise(list(cases[0].sizes)):
        yield f"where {one} and {other} differ", partial(_differ, one, other)


def _has_dtype(dtype: str, case: PlannedCase) -> bool:
    return case.dtype == dtype


def _has_layout(layout: str, case: PlannedCase) -> bool:
    return layout in case.case.layouts.values()


def _has_values(values: str, case: PlannedCase) -> bool:
    return values in case.case.values.values()


def _differ(one: str, other: str, case: PlannedCase) -> bool:
    return case.sizes[one] != case.sizes[other]


def _of_size(name: str, met: Sequence[int]) -> Iterator[tuple[str, Holds]]:
    """Yield properties of one size, whose values in the cases are `met`."""

    def where(words: str, test: Callable[[int], bool]) -> tuple[str, Holds]:
        return f"where {name} is {words}", lambda case: test(case.sizes[name])

    yield where("1", lambda size: size == 1)
    yield where("more than 1", lambda size: size > 1)
    yield where("odd", lambda size: size % 2 == 1)
    for power in POWERS:
        yield where(f"no multiple of {power}", partial(_no_multiple, power))
    yield where("no power of two", lambda size: size & (size - 1) != 0)
    for limit in met:
        yield where(f"{limit} or more", partial(operator.le, limit))


def _no_multiple(of: int, size: int) -> bool:
    return size % of != 0
