"""The list of exercises: by lesson, with their state, and what to do next."""

from __future__ import annotations

from itertools import groupby
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.frame import Heading, heading
from triton_path.tutor.practice_standing import LEVELS, NextStep

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from triton_path.course.models import LessonEntry
    from triton_path.tutor.practice_standing import ExerciseStanding, PracticeStanding

WIDEST = 88
LABEL = " Next: "
SIGNS = {"passed": (theme.DONE, theme.RIGHT), "started": (theme.HERE, theme.ACCENT)}
UNWRITTEN = "Ahead of their lessons, which are not written yet"
"""Heading of exercises that stand without a lesson."""
NONE = "No exercise is like that."


def exercise_list(
    standing: PracticeStanding, shown: Sequence[ExerciseStanding], steps: Sequence[NextStep],
    width: int, none: str = "",
) -> RenderableType:  # fmt: skip
    """Return the exercises `shown` under their lessons, and the commands to type next.

    `none` is what is said where there is nothing to show.
    """
    width = min(width, WIDEST)
    total = len(standing.exercises)
    right = f"{standing.passed} of {total} passed"
    due = f" · {len(standing.due)} due again" if standing.due else ""
    top = heading(Heading("", "practice", right + due, right), width)
    top.width = width
    parts: list[RenderableType] = [top]
    unwritten = False
    columns = max((cell_len(exercise.id) for exercise in shown), default=0)
    for lesson, group in groupby(shown, key=lambda exercise: exercise.lesson):
        parts.append(Text())
        if not lesson.ready and not unwritten:
            unwritten = True
            parts += [Padding(Text(UNWRITTEN, theme.NOTE), (0, 1, 0, 1)), Text()]
        parts.append(_lesson_line(standing, lesson, width))
        parts += [_row(exercise, columns, width) for exercise in group]
    if not shown:
        parts += [Text(), Padding(Text(none or NONE), (0, 1, 0, 1))]
        steps = [NextStep("triton-path practice list", "shows all")]
    return Group(*parts, Text(), command_lines(steps, width))


def command_lines(steps: Sequence[NextStep], width: int) -> RenderableType:
    """Return commands to type, the first marked as the next; none is cut.

    Each has a line, with what it is about behind it; below it where that is too long; and where
    even the commands are, they begin at the left.
    """
    longest = max(cell_len(step.command) for step in steps)
    about = max(cell_len(step.about) for step in steps)
    if len(LABEL) + longest + 2 + about <= width:
        grid = Table.grid()
        for number, step in enumerate(steps):
            label = LABEL if number == 0 else ""
            grid.add_row(label, Text(f"{step.command}  ", theme.KEY), Text(step.about, theme.QUIET))
        return grid
    parts: list[RenderableType] = []
    indent = len(LABEL) if len(LABEL) + longest <= width else 1
    for number, step in enumerate(steps):
        command = Text(step.command, theme.KEY, overflow="fold")
        if number > 0 or indent < len(LABEL):
            parts += [Text(LABEL)] if number == 0 else []
            parts.append(Padding(command, (0, 0, 0, indent)))
        else:
            parts.append(Text.assemble(LABEL, command))
        if step.about:
            parts.append(Padding(Text(step.about, theme.QUIET), (0, 0, 0, indent + 2)))
    return Group(*parts)


def stars(count: int) -> Text:
    """Return the stars of a passed exercise."""
    return Text.assemble(("★" * count, theme.NOTE), ("☆" * (LEVELS - count), theme.QUIET))


def _lesson_line(standing: PracticeStanding, lesson: LessonEntry, width: int) -> RenderableType:
    own = [exercise for exercise in standing.exercises if exercise.lesson == lesson]
    passed = sum(exercise.state == "passed" for exercise in own)
    grid = Table.grid()
    grid.width = width
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right", no_wrap=True)
    grid.add_row(Text(f" {lesson.title}", theme.TITLE), f"{passed}/{len(own)} ")
    return grid


def _row(exercise: ExerciseStanding, columns: int, width: int) -> RenderableType:
    sign, style = SIGNS.get(exercise.state, (theme.OPEN, ""))
    grid = Table.grid(padding=(0, 1))
    grid.width = width
    grid.add_column(no_wrap=True, width=4, justify="right")
    grid.add_column(no_wrap=True, width=columns + 1)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis", style=theme.QUIET)
    grid.add_column(justify="right", no_wrap=True)
    title = exercise.head.title
    if exercise.head.kind == "hunt" and not title.startswith("Hunt"):
        title = f"Hunt: {title}"
    grid.add_row(Text(sign, style), exercise.id, title, _state(exercise))
    return grid


def _state(exercise: ExerciseStanding) -> Text:
    record = exercise.record
    if exercise.state == "passed":
        note = "due again " if exercise.due else "again " if record.anew else ""
        return Text.assemble((note, theme.NOTE), stars(record.stars))
    if exercise.state == "new":
        return Text()
    checks = {0: "started", 1: "1 check"}.get(record.checks, f"{record.checks} checks")
    return Text(checks, theme.ACCENT)
