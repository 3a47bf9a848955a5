"""Tells a learner's mistake by its name: it fails as one of the exercise's wrong solutions does."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.practice import Diagnosis
from triton_path.worker.practice.findings import of_case
from triton_path.worker.practice.learner import CannotImport, load
from triton_path.worker.practice.running import run

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.jobs.grading import Grading
    from triton_path.jobs.practice import Finding, Mistake
    from triton_path.worker.practice.running import Outcome

ENOUGH = 5
"""Points that a resemblance needs: more than the same kind of fault in the same tensor."""
EXACT = 100
COMMON = ("every element is wrong", "every wrong element is NaN", "only where", "only in")
"""Beginnings of patterns that say little of the mistake, or belong to several cases."""


def diagnose(
    finding: Finding,
    outcome: Outcome,
    grading: Grading,
    mistakes: Sequence[Mistake],
    reference: Any,
    *,
    seed: int,
    seconds: float,
) -> Diagnosis | None:
    """Return the wrong solution that fails on the same case in the same way; None where none does.

    Of several that resemble it equally, none is named.
    """
    scored = []
    for mistake in mistakes:
        if mistake.fault != finding.kind:
            continue
        try:
            learner = load(Path(mistake.path), grading)
        except CannotImport:
            continue
        other = run(
            learner, grading, outcome.planned, reference, seed=seed, seconds=seconds
        )  # fmt: skip
        found = of_case(other, grading, {})
        if found:
            scored.append((_points(finding, outcome, found[0], other), mistake))
    if not scored:
        return None
    best = max(points for points, _ in scored)
    alike = [mistake for points, mistake in scored if points == best]
    if best < ENOUGH or len(alike) > 1:
        return None
    return named(alike[0])


def named(mistake: Mistake) -> Diagnosis:
    """Return the diagnosis that a mistake stands for."""
    return Diagnosis(name=mistake.name, read=mistake.read, file=Path(mistake.path).name)


def _points(mine: Finding, outcome: Outcome, theirs: Finding, other: Outcome) -> int:
    """Return how much two failures on the same case resemble one another; 0: not at all."""
    if mine.kind != theirs.kind:
        return 0
    if mine.stage == "values":
        return _points_of_values(mine, outcome, theirs, other)
    points = 1
    if mine.kind == "never-written":
        return points + _points_of_holes(outcome, other)
    if mine.fault is None or theirs.fault is None:
        return EXACT * (mine.sentence == theirs.sentence)
    one, two = mine.fault.lanes, theirs.fault.lanes
    if one is None or two is None:
        return EXACT * (mine.sentence == theirs.sentence)
    if (one.access, one.shape, one.masked) != (two.access, two.shape, two.masked):
        return points
    points += 3 + 2 * (one.offset == two.offset)
    points += (one.offending == two.offending) + (one.lane == two.lane)
    points += mine.fault.program == theirs.fault.program
    return points + 2 * _outputs_equal(outcome, other)


def _points_of_values(mine: Finding, outcome: Outcome, theirs: Finding, other: Outcome) -> int:
    if _outputs_equal(outcome, other):
        return EXACT
    if mine.mismatch is None or theirs.mismatch is None:
        return 0
    one, two = outcome.differences, other.differences
    same_places = all(torch.equal(one[name].wrong, two[name].wrong) for name in one if name in two)
    same_patterns = bool(_telling(mine)) and _telling(mine) == _telling(theirs)
    return 1 + 4 * same_places * (not _all_wrong(outcome)) + 4 * same_patterns


def _telling(finding: Finding) -> set[str]:
    """Return the patterns of one case that not every wrong kernel shows."""
    assert finding.mismatch is not None
    return {p for p in finding.mismatch.patterns if not p.startswith(COMMON)}


def _all_wrong(outcome: Outcome) -> bool:
    return all(bool(difference.wrong.all()) for difference in outcome.differences.values())


def _outputs_equal(outcome: Outcome, other: Outcome) -> bool:
    """Tell whether two runs left the same results, rounding aside."""
    if outcome.planned.case.memoryless:
        return False
    theirs = other.outputs
    return all(
        torch.allclose(tensor.double(), theirs[name].double(), 1e-4, 1e-6, equal_nan=True)
        for name, tensor in outcome.outputs.items()
    )


def _points_of_holes(outcome: Outcome, other: Outcome) -> int:
    """Compare which elements were left out: the same ones, or the same end of the output."""
    points = 0
    for name, mine in outcome.untouched.items():
        theirs = other.untouched[name]
        if (mine == theirs).all():
            points += 6
        elif _where(mine) == _where(theirs):
            points += 4
    return points


def _where(holes: Any) -> tuple[bool, bool, bool]:
    """Return whether the first and the last element are missing, and whether all are."""
    flat = holes.reshape(-1)
    return bool(flat[:1].any()), bool(flat[-1:].any()), bool(flat.all())
