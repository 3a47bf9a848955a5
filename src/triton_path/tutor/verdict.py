"""Puts together what the two jobs of a check found."""

from __future__ import annotations

from itertools import zip_longest
from typing import TYPE_CHECKING

from triton_path.jobs.practice import STAGES, CheckAnswer, CompileAnswer, Finding

if TYPE_CHECKING:
    from collections.abc import Iterable


def ordered(findings: Iterable[Finding]) -> list[Finding]:
    """Return the findings in the order of a verdict; one that is there twice, once."""
    unique: dict[object, Finding] = {}
    for finding in findings:
        # Both jobs may say the same; the interpreter's comes first and knows the line.
        unique.setdefault((finding.kind, finding.sentence), finding)
    return sorted(unique.values(), key=lambda finding: STAGES.index(finding.stage))


def two_faced(checked: CheckAnswer, made: CompileAnswer) -> list[Finding]:
    """Return a finding where a case launches other kernels compiled than in the interpreter."""
    if not checked.watched:
        return []  # it did not see what was launched
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
            lines.append("cases of tensors without memory need the watch and were left out")
    if isinstance(made, CompileAnswer):
        if made.compiled:
            count = "1 launch" if made.compiled == 1 else f"{made.compiled} kinds of launches"
            left_out = f"; {made.left_out} more would have taken too long" if made.left_out else ""
            lines.append(f"compiled for {made.target}: {count}{left_out}")
        elif made.uncompiled:
            lines.append(f"not compiled: {made.uncompiled}")
        if made.gpu is not None:
            lines.append(f"run on {made.gpu.device}: {made.gpu.cases} cases")
        else:
            lines.append(f"not run on a GPU: {made.unrun or 'none is here'}")
    return tuple(lines)
