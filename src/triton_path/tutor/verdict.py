"""Puts together what the two jobs of a check found."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from triton_path.jobs.practice import CheckAnswer, CompileAnswer, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triton_path.jobs.practice import Stage

ORDER: tuple[Stage, ...] = (
    "import", "compile", "crash", "rules", "memory", "unwritten", "values", "order", "advice",
)  # fmt: skip
"""Of a verdict: what keeps the kernel from running at all comes first."""


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in the order of a verdict; one that is there twice, once."""
    unique = {(f.kind, f.sentence, f.place and f.place.line): f for f in findings}
    return sorted(unique.values(), key=lambda finding: ORDER.index(finding.stage))


def two_faced(checked: CheckAnswer, made: CompileAnswer) -> list[Finding]:
    """Return a finding where a case launches other kernels compiled than in the interpreter."""
    for case in checked.cases:
        compiled = made.launches.get(case.label.number)
        if compiled is None or not case.passed or compiled == case.launches:
            continue
        here, there = _first_difference(case.launches, compiled)
        return [
            Finding(
                kind="two-faced",
                stage="rules",
                sentence="Compiled, other kernels are launched than in the interpreter: "
                f"{there} instead of {here}.",
                why="The check runs the kernel in the interpreter and compiles it for a GPU; it "
                "must be the same kernel.",
                remedy="do not ask how the kernel is run",
                case=case.label,
            )
        ]
    return []


def _first_difference(one: tuple[str, ...], two: tuple[str, ...]) -> tuple[str, str]:
    for here, there in zip_longest(one, two, fillvalue="none"):
        if here != there:
            return here, there
    return "", ""


def what_was_checked(
    checked: CheckAnswer | Finding, made: CompileAnswer | Finding
) -> tuple[str, ...]:
    """Say what was checked how, and what was not and why, a line each."""
    lines = []
    if isinstance(checked, CheckAnswer):
        ran = len(checked.cases)
        cases = f"{ran} of {checked.planned} cases" if ran < checked.planned else f"{ran} cases"
        how = "under the memory watch" if checked.watched else "without the memory watch"
        lines.append(f"run in Triton's interpreter {how}: {cases}")
        if not checked.watched:
            lines.append(f"not watched: {checked.unwatched_reason}")
    if isinstance(made, CompileAnswer):
        if made.compiled:
            count = "1 launch" if made.compiled == 1 else f"{made.compiled} kinds of launches"
            lines.append(f"compiled for {made.target}: {count}")
        elif made.uncompiled:
            lines.append(f"not compiled: {made.uncompiled}")
        if made.gpu is not None:
            lines.append(f"run on {made.gpu.device}: {made.gpu.cases} cases")
        else:
            lines.append("not run on a GPU: none is here")
    return tuple(lines)
