"""The path at a glance, and progress in figures."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.frame import Heading, heading
from triton_path.tutor.standing import PRACTICE, next_command

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.tutor.standing import LessonStanding, StageStanding, Standing

BAR = 12

SIGNS = {"done": (theme.DONE, theme.RIGHT), "started": (theme.HERE, theme.ACCENT)}


def home_screen(standing: Standing, width: int) -> RenderableType:
    """Return the path: stages with their lessons, what is due, the one next command."""
    width = min(width, 80)
    due = f"{standing.due} to review" if standing.due else ""
    parts: list[RenderableType] = [
        _fixed(heading(Heading("", "triton-path", due), width), width),
        Text(),
    ]
    for number, stage in enumerate(standing.stages, start=1):
        parts.append(_fixed(_stage_line(number, stage), width))
        if stage.ready:
            parts += [_lesson_line(lesson, width) for lesson in stage.lessons]
        else:
            names = ", ".join(lesson.entry.id for lesson in stage.lessons)
            line = Text(f"    {names}", theme.QUIET, no_wrap=True, overflow="ellipsis")
            line.truncate(width, overflow="ellipsis")
            parts.append(line)
    parts += [Text(), _commands(standing)]
    return Group(*parts)


def _fixed(table: Table, width: int) -> Table:
    table.expand = False
    table.width = width
    return table


def _stage_line(number: int, stage: StageStanding) -> Table:
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right", no_wrap=True)
    planned = len(stage.lessons) - stage.ready
    if stage.ready:
        filled = round(BAR * stage.done / stage.ready)
        right = Text.assemble(
            ("█" * filled, theme.RIGHT),
            ("░" * (BAR - filled), theme.QUIET),
            f" {stage.done}/{stage.ready} ",
        )
    else:
        total = sum(len(lesson.entry.exercises) for lesson in stage.lessons)
        passed = sum(lesson.passed for lesson in stage.lessons)
        practice = f" · practice {passed}/{total}" if total else ""
        right = Text(f"{planned} planned{practice} ", theme.QUIET)
    style = theme.TITLE if stage.ready else theme.QUIET
    grid.add_row(Text(f" {number} {stage.stage.title}", style), right)
    return grid


def _lesson_line(lesson: LessonStanding, width: int) -> Text:
    sign, style = SIGNS.get(lesson.state, (theme.OPEN, ""))
    if lesson.state == "planned":
        line = Text(f"   {theme.OPEN} {lesson.entry.id}  (planned)", theme.QUIET)
    else:
        line = Text.assemble("   ", (sign, style), f" {lesson.entry.id:<24}")
    if lesson.state == "done":
        line.append(f" quiz {lesson.right}/{lesson.questions}")
    elif lesson.where:
        line.append(f" {lesson.where}", theme.ACCENT)
    if lesson.entry.exercises:
        practice = f"practice {lesson.passed}/{len(lesson.entry.exercises)} "
        gap = width - line.cell_len - len(practice)
        if gap > 0:  # where the window is too narrow for both, the place in the lesson stays
            line.append(" " * gap + practice)
    return line


def _commands(standing: Standing) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    about = ""
    if standing.current:
        lesson = standing.of(standing.current)
        about = f"{standing.current}, {lesson.where}" if lesson.where else standing.current
    elif next_command(standing) == PRACTICE:
        about = standing.exercise or ""
    grid.add_row(" Next:", Text(next_command(standing), theme.KEY), about)
    if standing.due:
        count = _count(standing.due, "question")
        grid.add_row(" Due:", Text("triton-path quiz --review", theme.KEY), count)
    if standing.exercises_due:
        count = _count(standing.exercises_due, "exercise")
        command = Text("triton-path practice list --state due", theme.KEY)
        grid.add_row("" if standing.due else " Due:", command, count)
    if standing.exercise and next_command(standing) != PRACTICE:
        grid.add_row(" Write:", Text(PRACTICE, theme.KEY), standing.exercise)
    grid.add_row(" All:", Text("triton-path --help", theme.KEY), "")
    return grid


def progress_table(standing: Standing, days: int, streak: int) -> RenderableType:
    """Return what was done, lesson by lesson, and on how many days."""
    table = Table(box=None, pad_edge=False, padding=(0, 1), header_style="bold")
    table.add_column("lesson", no_wrap=True)
    table.add_column("sections", justify="right")
    table.add_column("questions right", justify="right")
    table.add_column("exercises", justify="right")
    table.add_column("state")
    for lesson in standing.lessons:
        if lesson.state in ("started", "done") or lesson.passed:
            exercises = len(lesson.entry.exercises)
            table.add_row(
                lesson.entry.id,
                f"{lesson.sections_read}/{lesson.sections}" if lesson.sections else "",
                f"{lesson.right}/{lesson.questions}" if lesson.questions else "",
                f"{lesson.passed}/{exercises}" if exercises else "",
                "unread" if lesson.state == "new" else lesson.state,
            )
    if not table.rows:
        return Text("Nothing done yet. Next: triton-path learn")
    day_word = "day" if days == 1 else "days"
    return Group(
        table,
        Text(),
        Text(f"{days} {day_word} of learning, {streak} in a row up to today."),
        Text(
            f"{_count(standing.due, 'question')} to review now, "
            f"{_count(standing.exercises_due, 'exercise')} to write once more."
        ),
    )


def _count(number: int, what: str) -> str:
    return f"{number} {what}{'' if number == 1 else 's'}"
