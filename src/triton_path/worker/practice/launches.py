"""What a launch's grid and constants tell, whether or not its programs ran."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING

from triton_path.jobs.practice import Finding

if TYPE_CHECKING:
    from collections.abc import Iterable, Iterator, Sequence

    from triton_path.jobs.grading import Grading
    from triton_path.jobs.practice import CaseLabel
    from triton_path.jobs.watch import LaunchReport, WatchReport
    from triton_path.worker.practice.running import Outcome

MOST_PROGRAMS = (2**31 - 1, 65535, 65535)
"""On each axis of a grid: CUDA C++ Programming Guide, "Technical Specifications per Compute
Capability"."""
COVERED = 0.4
"""Share of the outputs' bytes that the first and the last program of a huge grid, taken for all,
must store. It is an estimate: the last one may be masked from end to end, which halves it."""


def signature(kernel: str, grid: Sequence[int], constants: Iterable[tuple[str, str]]) -> str:
    """Return a launch in short: what the interpreter's job and the compiler's must agree on."""
    sides = (*grid, 1, 1)[:3]
    told = " ".join(f"{name}={text}" for name, text in sorted(constants))
    told = told.replace("triton.language.", "")  # a dtype is written with it or without
    return f"{kernel}[{', '.join(map(str, sides))}] {told}".rstrip()


def signatures(report: WatchReport) -> tuple[str, ...]:
    """Return the launches of a watch in short."""
    return tuple(
        signature(
            launch.kernel,
            launch.grid,
            [(value.name, value.text) for value in launch.values if value.constant],
        )
        for launch in report.launches
    )


def of_launches(outcome: Outcome, grading: Grading) -> Iterator[Finding]:
    """Return what no GPU takes, what the exercise does not want, and huge outputs not covered."""
    label = outcome.planned.label
    for launch in outcome.report.launches:
        yield from _of_grid(launch, label)
        if grading.most_programs is not None:
            yield from _of_programs(launch, grading.most_programs, label)
        if grading.most_constant is not None:
            yield from _of_constants(launch, grading.most_constant, label)
    if outcome.planned.case.virtual and not outcome.report.faults and outcome.raised is None:
        yield from _of_coverage(outcome)


def _of_grid(launch: LaunchReport, label: CaseLabel) -> Iterator[Finding]:
    for axis, (programs, most) in enumerate(zip(launch.grid, MOST_PROGRAMS, strict=True)):
        if programs > most:
            yield Finding(
                kind="grid-too-large",
                stage="crash",
                sentence=f"The grid {launch.grid} has {programs} programs on axis {axis}.",
                why=f"CUDA takes at most {most:,} there: the launch fails on a GPU.",
                remedy="put the longest side on axis 0, or give each program more to do",
                place=launch.place,
                case=label,
            )


def _of_programs(launch: LaunchReport, most: int, label: CaseLabel) -> Iterator[Finding]:
    programs = math.prod(launch.grid)
    if programs > most:
        wants = "one" if most == 1 else f"{most} at most"
        yield Finding(
            kind="too-many-programs",
            stage="rules",
            sentence=f"`{launch.kernel}` was launched with {programs} programs; this exercise "
            f"wants {wants}.",
            why="The exercise is about what a program does alone, with a block that holds all.",
            remedy=f"launch the grid `({most},)`",
            place=launch.place,
            case=label,
        )


def _of_constants(launch: LaunchReport, most: int, label: CaseLabel) -> Iterator[Finding]:
    for value in launch.values:
        number = int(value.text) if value.constant and value.text.isdecimal() else 0
        if number > most:
            yield Finding(
                kind="block-too-large",
                stage="rules",
                sentence=f"`{value.name}` is {number:,} here; this exercise allows {most:,}.",
                why="A block lives in the registers of one program. One that grows with the "
                "sizes spills them first, and does not compile at last.",
                remedy="loop over blocks of a fixed size",
                place=launch.place,
                case=label,
            )


def _of_coverage(outcome: Outcome) -> Iterator[Finding]:
    """Compare what some programs, taken for all, store with what the outputs hold."""
    needed = sum(tensor.numel() * tensor.element_size() for tensor in outcome.outputs.values())
    stored = 0
    for launch in outcome.report.launches:
        estimate = launch.extrapolated
        counts = launch.arguments if estimate is None else estimate.arguments
        stored += sum(count.stored_bytes + count.atomic_bytes for count in counts)
    if 0 < stored < COVERED * needed and math.prod(outcome.report.launches[-1].grid) > 1:
        share = 100 * stored / needed
        yield Finding(
            kind="never-written",
            stage="unwritten",
            sentence=f"At these sizes about {share:.2g} % of the output would be written.",
            why="Counted in a few programs of the grid and taken for all of them; the tensors "
            "here have no memory.",
            remedy="look at how the number of programs follows from the sizes",
            place=outcome.report.launches[-1].place,
            case=outcome.planned.label,
        )
