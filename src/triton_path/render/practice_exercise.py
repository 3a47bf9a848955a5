"""One exercise: what it asks for, its starter, a hint, the solution beside the learner's own."""

from __future__ import annotations

import re
import textwrap
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.course.blocks import Code, Columns
from triton_path.render import theme
from triton_path.render.blocks import block, code, flow
from triton_path.render.frame import Heading, heading

if TYPE_CHECKING:
    from collections.abc import Iterator

    from rich.console import RenderableType

    from triton_path.course.exercises import Exercise
    from triton_path.course.models import Course
    from triton_path.progress.exercises import ExerciseRecord
    from triton_path.tutor.helping import Hint

FORMULA, PICTURE = "Formula", "Picture"
"""Parts of a specification whose lines are not joined; those of a picture are cut, not wrapped."""
NAMED = re.compile(r"\s+\S+\s{2,}")
"""A name and the blanks behind it: what is said of it stands in a column."""
ENDS = (".", ":", ";", '"')
"""What a line ends with that the next line does not continue."""
DEEPEST = 8
"""Most blanks before a line of a formula that is too long."""
FAR = re.compile(r"\s{3,}")
"""What parts a formula from the range that it holds for."""
GAP = 2
"""Columns between two listings side by side."""


def top_line(exercise: Exercise, right: str, width: int) -> RenderableType:
    """Return the heading of everything that is said of one exercise."""
    top = heading(Heading(exercise.id, exercise.about.title, right), width)
    top.width = width
    return top


def specification(exercise: Exercise, width: int) -> RenderableType:
    """Return what the exercise asks for, set anew only where the window is too narrow."""
    lines = _fitting(exercise.specification, width - theme.INDENT)
    shown = (
        Text(line, theme.TITLE if is_head else "", no_wrap=True, overflow="ellipsis")
        for line, is_head in lines
    )
    return Padding(Group(*shown), (0, 0, 0, theme.INDENT))


def _fitting(text: str, width: int) -> Iterator[tuple[str, bool]]:
    """Give the lines of a specification, and whether each is the heading of a part."""
    part = ""
    narrow = any(cell_len(line) > width for line in text.splitlines())
    for number, line in enumerate(_joined(text) if narrow else text.splitlines()):
        begins = bool(line) and not line[0].isspace() and number > 0
        part = line if begins else part
        if cell_len(line) <= width or part == PICTURE:
            yield line, begins
            continue
        named = NAMED.match(line)
        blank = len(line) - len(line.lstrip())
        column = named.end() if named else blank
        if part == FORMULA:
            blank = min(blank, DEEPEST)
            first, *behind = FAR.split(line.strip())
            yield from ((it, begins) for it in _hung(first, width, blank))
            for more in behind:
                yield from ((it, begins) for it in _hung(more, width, blank + 4))
            continue
        for piece in textwrap.wrap(line, width, subsequent_indent=" " * column):
            yield piece, begins


def _hung(text: str, width: int, blank: int) -> list[str]:
    """Return the text in lines behind `blank` columns, more from the second one on."""
    return textwrap.wrap(
        text, width, initial_indent=" " * blank, subsequent_indent=" " * (blank + 4)
    )


def _joined(text: str) -> list[str]:
    """Return the lines of a specification with those joined that make one sentence."""
    joined: list[str] = []
    part = ""
    for line in text.splitlines():
        if line and not line[0].isspace():
            part = line
        before = joined[-1] if joined else ""
        continues = before[:1].isspace() and line.strip() and not before.endswith(ENDS)
        if continues and line[0].isspace() and part not in (FORMULA, PICTURE):
            named = NAMED.match(line)
            if named is None or not line[: named.end()].strip():
                joined[-1] += f" {line.strip()}"
                continue
        joined.append(line)
    return joined


def program(text: str, colour: bool) -> RenderableType:
    """Return a program as it stands in its file."""
    shown = code(text.rstrip("\n"), "python", colour=colour)
    shown.overflow = "fold"
    return Padding(shown, (0, 0, 0, theme.INDENT))


def facts(
    exercise: Exercise, course: Course, record: ExerciseRecord, file: str | None
) -> RenderableType:
    """Return where an exercise stands: its lesson, the learner's file, hints seen."""
    lesson = next(entry for entry in course.lessons if exercise.id in entry.exercises)
    rows = [("Lesson:", lesson.id if lesson.ready else f"{lesson.id}, not written yet")]
    if file is not None:
        rows.append(("File:", file))
    if record.checks:
        rows.append(("Checks:", f"{record.checks}, the last found {record.fault or 'no fault'}"))
    if record.hints:
        rows.append(("Hints:", f"{record.hints} of {len(exercise.about.hints)} seen"))
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for label, text in rows:
        grid.add_row(f" {label}", text)
    return grid


def hint_parts(hint: Hint, colour: bool, width: int) -> RenderableType:
    """Return one hint under its heading."""
    of = hint.number + hint.left
    title = Text.assemble((f"  Hint {hint.number} of {of}: ", theme.TITLE), hint.kind)
    return Group(title, Text(), flow(hint.blocks, colour=colour, width=width))


def listings(
    exercise: Exercise, own: tuple[str, str] | None, colour: bool, width: int
) -> list[RenderableType]:
    """Return the solution, and before it the learner's file (its name and text) if there is one.

    They stand side by side where both fit.
    """
    solution = Code(exercise.solution.text.strip("\n"), "python", "The solution")
    panes = (solution,) if own is None else (Code(own[1], "python", f"Yours: {own[0]}"), solution)
    lines = [line for pane in panes for line in (pane.title, *pane.text.splitlines())]
    widest = max(map(cell_len, lines))
    if len(panes) > 1 and 2 * (widest + GAP) + theme.INDENT <= width:
        return [block(Columns(panes), colour=colour, width=width)]
    return [block(pane, colour=colour, width=width) for pane in panes]


def explanation(exercise: Exercise, colour: bool, width: int) -> RenderableType:
    """Return why the solution is as it is."""
    title = Text("  Why it is so", theme.TITLE)
    return Group(title, Text(), flow(exercise.about.explanation, colour=colour, width=width))
