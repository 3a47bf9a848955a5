"""A lesson's sections, contents and end."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.course.blocks import Demo
from triton_path.render import theme
from triton_path.render.blocks import inline, part
from triton_path.render.pages import Part
from triton_path.render.question import score_lines

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from triton_path.course.models import Lesson, Section
    from triton_path.tutor.steps import Step


def section_parts(
    section: Section, demo_panel: RenderableType | None, *, colour: bool, width: int
) -> list[Part]:
    """Return the parts of a section; the demo's block becomes `demo_panel`, where it stands."""
    return [
        Part(Padding(demo_panel, (0, 0, 0, 1)))
        if isinstance(item, Demo) and demo_panel is not None
        else part(item, colour=colour, width=width)
        for item in section.blocks
    ]


def contents(lesson: Lesson, steps: Sequence[Step]) -> list[tuple[int, str]]:
    """Return the places of a lesson one can go to: the index of the step, and its title."""
    entries: list[tuple[int, str]] = []
    seen: set[str] = set()
    for index, step in enumerate(steps):
        if step.kind == "section":
            entries.append((index, lesson.section(step.id).title))
        elif step.kind in ("question", "situation") and step.kind not in seen:
            seen.add(step.kind)
            quiz = f"Quiz, {len(lesson.questions)} questions"
            case = f"Case study: {lesson.case_study.title}"
            entries.append((index, quiz if step.kind == "question" else case))
    return entries


def contents_table(titles: Sequence[str], cursor: int) -> RenderableType:
    """Return the contents with a pointer at the entry `cursor`."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for index, title in enumerate(titles):
        here = index == cursor
        pointer = theme.HERE if here else " "
        grid.add_row(
            Text(f"{pointer} {index + 1}", theme.KEY if here else ""),
            Text(title, "bold" if here else ""),
        )
    return Padding(grid, (0, 0, 0, 2))


def end_parts(lesson: Lesson, right: int) -> list[RenderableType]:
    """Return what stands at the end: what the learner can do now, the score, what comes next."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for outcome in lesson.head.outcomes:
        grid.add_row(Text(theme.DONE, theme.RIGHT), inline(outcome))
    return [
        Text(f"  {lesson.head.title}: what you can do now", theme.TITLE),
        Padding(grid, (0, 0, 0, 2)),
        score_lines(right, len(lesson.questions)),
        Padding(Text.assemble("Next: ", inline(lesson.head.next_question)), (0, 0, 0, 2)),
    ]
