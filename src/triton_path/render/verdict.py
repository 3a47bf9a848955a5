"""A verdict as it is read: the first fault in full, the others in short; or what was passed."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.frame import Heading, heading
from triton_path.render.pages import Part
from triton_path.render.practice import command_lines
from triton_path.render.verdict_finding import in_full, in_short
from triton_path.render.verdict_pass import passed_parts
from triton_path.render.verdict_words import (
    case_text,
    number_text,
    sizes_text,
    stars_text,
    words_of,
)
from triton_path.terminal.safe_text import harmless
from triton_path.tutor.practice_standing import NextStep

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.jobs.practice import CaseLabel, Verdict
    from triton_path.tutor.practice_after import After

LONGEST_NAME = 22
"""Columns for the name of an exercise, where many are listed."""
MOST_PRINTED = 8
"""Lines of the file's own output that are shown, its last ones."""
NARROW_COLUMNS = 55
"""What a name and a case may take together, to stand in one line of a window of 60 columns."""
AROUND = 5
"""Columns around the two."""


def verdict_parts(
    verdict: Verdict, after: After, sources: Mapping[str, Sequence[str]], width: int
) -> list[Part]:
    """Return a whole verdict in parts that a page should not cut.

    Advice is for kernels that passed: before, there is worse to mend. `sources` has the lines of
    the files that the findings name.
    """
    if verdict.passed:
        parts = passed_parts(verdict, after, width)
    else:
        parts = [
            Part(in_full(finding, sources, width, after.read) if number == 0 else in_short(finding))
            for number, finding in enumerate(verdict.faults)
        ]
    if verdict.printed:
        parts.append(Part(_printed(verdict)))
    if after.unkept is not None:
        said = f"Not kept: {after.unkept.message}"
        parts.append(Part(Padding(Text(said, overflow="fold"), (0, 1, 0, 1))))
    if after.steps:
        parts.append(Part(command_lines(after.steps, width)))
    return parts


def top(verdict: Verdict, width: int = NARROW_COLUMNS + AROUND) -> Heading:
    """Return the heading of a verdict: the exercise, and the case that failed or the stars.

    What it says in a narrow window fits `width`, with the name whole.
    """
    name = verdict.exercise
    if verdict.passed:
        return Heading("", name, f"{theme.RIGHT_SIGN} passed {stars_text(verdict.stars)}")
    case = failed_case(verdict)
    if case is None:
        return Heading("", name, f"{theme.WRONG_SIGN} not passed")
    whole = f"{number_text(case)}: {case_text(case)}"
    short = f"{number_text(case)}: {sizes_text(case)}, {case.dtype}"
    fits = len(name) + len(short) <= min(NARROW_COLUMNS, width - AROUND)
    return Heading("", name, whole, short if fits else number_text(case))


def head(verdict: Verdict, width: int) -> RenderableType:
    """Return the first line of a verdict that is printed."""
    grid = heading(top(verdict, width), width)
    grid.expand, grid.width = False, width
    return grid


def failed_case(verdict: Verdict) -> CaseLabel | None:
    """Return the case of the first fault, if it has one."""
    return verdict.faults[0].case if verdict.faults else None


def in_a_line(verdict: Verdict) -> RenderableType:
    """Return a verdict as one row of many: its stars, or the name of its first fault."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, width=2)
    grid.add_column(no_wrap=True, width=LONGEST_NAME)
    grid.add_column(overflow="fold")
    if verdict.passed:
        sign = Text(f" {theme.RIGHT_SIGN}", theme.RIGHT)
        grid.add_row(sign, verdict.exercise, Text(stars_text(verdict.stars), theme.NOTE))
    else:
        said = words_of(verdict.faults[0]) if verdict.faults else "not passed"
        grid.add_row(Text(f" {theme.WRONG_SIGN}", theme.WRONG), verdict.exercise, said)
    return grid


def score(verdicts: Sequence[Verdict], width: int) -> RenderableType:
    """Return how many passed, and the command that says more of the first that did not."""
    failed = [verdict for verdict in verdicts if not verdict.passed]
    count = Text(f" {len(verdicts) - len(failed)} of {len(verdicts)} passed")
    if not failed:
        return count
    step = NextStep(f"triton-path practice check {failed[0].exercise}", "what is wrong, in full")
    return Group(count, Text(), command_lines([step], width))


def _printed(verdict: Verdict) -> RenderableType:
    lines = [Text(" your file printed", theme.QUIET)]
    lines += [
        Text(f"   {harmless(line)}", no_wrap=True, overflow="ellipsis")
        for line in verdict.printed[-MOST_PRINTED:]
    ]
    return Group(*lines)
