"""What does not fail a solution and is worth a look: lanes far apart, bytes read again, idle masks.

All of it is counted in the interpreter, on one of the larger cases.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.practice import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from triton_path.jobs.watch import ArgumentCount, LineCount, Place
    from triton_path.worker.practice.running import Outcome

LEAST_BYTES = 1024
"""Lines that move less say nothing about a large launch."""
POOR = 0.5
"""Share of the fetched bytes that is used, at or below which a line is called uncoalesced."""
OFTEN = 1.9
"""Loads of an element from which on they are called redundant."""
SMALL = 0.5
"""Of the largest tensor: what is below it stays in a cache, as a row's weights do."""


def of_counted(outcome: Outcome) -> Iterator[Finding]:
    """Return advice from a case that was run with its sectors counted."""
    for launch in outcome.report.launches:
        for line in launch.lines:
            if _is_poor(line):
                yield _uncoalesced(line, outcome)
        largest = max(
            (argument.unique_loaded_bytes or 0 for argument in launch.arguments), default=0
        )
        for argument in launch.arguments:
            if _is_redundant(argument, SMALL * largest):
                yield _redundant(argument, outcome, launch.place)


def _is_poor(line: LineCount) -> bool:
    return (
        line.access != "atomic"
        and line.bytes_used >= LEAST_BYTES
        and line.sector_efficiency is not None
        and line.sector_efficiency <= POOR
    )


def _uncoalesced(line: LineCount, outcome: Outcome) -> Finding:
    assert line.sector_efficiency is not None
    share = round(100 * line.sector_efficiency)
    return Finding(
        kind="uncoalesced",
        stage="advice",
        sentence=f"The {line.access} of `{line.argument}` uses {share} % of the 32-byte sectors "
        "that it fetches.",
        why="Neighbouring lanes touch elements that lie apart in memory, and memory is fetched "
        "in whole sectors.",
        remedy="let neighbouring lanes take neighbouring elements",
        place=line.place,
        case=outcome.planned.label,
    )


def _is_redundant(argument: ArgumentCount, least: float) -> bool:
    return (
        argument.redundancy is not None
        and argument.redundancy >= OFTEN
        and (argument.unique_loaded_bytes or 0) >= max(LEAST_BYTES, least)
    )


def _redundant(argument: ArgumentCount, outcome: Outcome, place: Place) -> Finding:
    return Finding(
        kind="redundant-bytes",
        stage="advice",
        sentence=f"Each element of `{argument.name}` is loaded {argument.redundancy:.3g} times.",
        why="A cache may serve the repetitions of a small tensor; those of a large one go through "
        "memory again.",
        remedy="load it once and keep it in registers, if a program can hold it",
        place=place,
        case=outcome.planned.label,
    )


def of_masks(outcomes: Sequence[Outcome]) -> Iterator[Finding]:
    """Return the lines whose mask lets every lane through in every case."""
    lines: dict[tuple[str, int, int | None], list[LineCount]] = {}
    for outcome in outcomes:
        for launch in outcome.report.launches:
            for line in launch.lines:
                key = (line.place.file, line.place.line, line.place.column)
                lines.setdefault(key, []).append(line)
    for counts in lines.values():
        place = counts[0].place
        idle = all(line.active_lanes == line.lanes for line in counts)
        if idle and "mask" in place.source and counts[0].lanes > counts[0].executions:
            yield Finding(
                kind="idle-mask",
                stage="advice",
                sentence=f"The mask at line {place.line} never masks a lane in any case.",
                why="A mask costs a comparison, and a reader takes it for needed.",
                remedy="leave it out, if it is always true",
                place=place,
            )
