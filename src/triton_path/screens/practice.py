"""What `practice` prints of one exercise: text that scrolls, the next command last."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.text import Text

from triton_path.render.practice import command_lines
from triton_path.render.practice_exercise import (
    explanation,
    facts,
    hint_parts,
    listings,
    program,
    specification,
    top_line,
)
from triton_path.screens.plain import print_parts
from triton_path.terminal.console import MAX_TEXT_COLUMNS, has_colour, plain_console
from triton_path.tutor.own_files import kind_of, shown
from triton_path.tutor.practice_standing import NextStep, next_step, state_of
from triton_path.tutor.workspace import own_path, workspace

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path

    from rich.console import RenderableType

    from triton_path.course.exercises import Exercise
    from triton_path.course.models import Course
    from triton_path.progress.store import Store
    from triton_path.tutor.beginning import Begun, BegunAnew
    from triton_path.tutor.helping import Hint


def print_begun(exercise: Exercise, begun: Begun, *, listing: bool) -> None:
    """Print the exercise that was put into the workspace, where it is, and how to go on."""
    console = plain_console()
    width = min(console.width, MAX_TEXT_COLUMNS)
    parts: list[RenderableType] = [top_line(exercise, exercise.about.kind, width)]
    if listing and begun.fresh:
        parts.append(program(exercise.starter.text, has_colour(console)))
    where = "Put into" if begun.fresh else "Already there, and left as it is:"
    said = [f"{where} {shown(begun.path)}"]
    if begun.left is not None:
        said.append(f"What you began before is still in {shown(begun.left)}")
    print_parts(console, [*parts, _said(*said), command_lines(_commands(exercise.id), width)])


def print_begun_anew(exercise: Exercise, begun: BegunAnew) -> None:
    """Print where the starter is again, and where the learner's own file went."""
    console = plain_console()
    width = min(console.width, MAX_TEXT_COLUMNS)
    said = [f"The starter is back in {shown(begun.path)}"]
    if begun.backup is not None:
        said.append(f"Yours is kept in {shown(begun.backup)}")
    print_parts(console, [_said(*said), command_lines(_commands(exercise.id), width)])


def print_specification(exercise: Exercise, course: Course, store: Store) -> None:
    """Print what an exercise asks for, what the learner did, and the next command."""
    console = plain_console()
    width = min(console.width, MAX_TEXT_COLUMNS)
    record = store.exercises.of(exercise.id)
    path = own_path(workspace(store), exercise.id)
    is_there = kind_of(path) == "file"
    parts: list[RenderableType] = [
        top_line(exercise, {"new": ""}.get(state_of(record), state_of(record)), width),
        specification(exercise, width),
        facts(exercise, course, record, shown(path) if is_there else None),
    ]
    first = f"triton-path practice {'check' if is_there else 'start'} {exercise.id}"
    print_parts(console, [*parts, command_lines([NextStep(first, "")], width)])


def print_hints(exercise: Exercise, hints: Sequence[Hint], *, more: bool) -> None:
    """Print hints; `more`: the last of them was shown for the first time."""
    console = plain_console()
    width, colour = min(console.width, MAX_TEXT_COLUMNS), has_colour(console)
    name = exercise.id
    parts: list[RenderableType] = [top_line(exercise, "", width)]
    parts += [hint_parts(hint, colour, width) for hint in hints]
    steps = [NextStep(f"triton-path practice check {name}", "")]
    left = hints[-1].left if hints else len(exercise.about.hints)
    if left:
        about = f"{left} hint{'s' * (left > 1)} left"
        steps.append(NextStep(f"triton-path practice hint {name}", about))
    else:
        command = f"triton-path practice solution {name} --anyway"
        steps.append(NextStep(command, "you will be asked to write it again sooner"))
    if not hints:
        parts.append(_said("You have seen no hint yet."))
    elif not more and not left:
        parts.append(_said("These are all the hints."))
    print_parts(console, [*parts, command_lines(steps, width)])


def print_solution(
    exercise: Exercise, own: tuple[Path, str] | None, course: Course, store: Store
) -> None:
    """Print the solution beside the learner's own program, and the explanation."""
    console = plain_console()
    text_width, colour = min(console.width, MAX_TEXT_COLUMNS), has_colour(console)
    named = None if own is None else (shown(own[0]), own[1])
    print_parts(console, [top_line(exercise, "", text_width)])
    # Listings may be wider than text: they stand side by side where there is room.
    print_parts(console, listings(exercise, named, colour, console.width), console.width)
    print_parts(console, [explanation(exercise, colour, text_width)])
    print_parts(console, [command_lines([next_step(course, store)], text_width)])


def _said(*sentences: str) -> RenderableType:
    return Padding(
        Group(*(Text(sentence, overflow="fold") for sentence in sentences)), (0, 0, 0, 1)
    )


def _commands(name: str) -> list[NextStep]:
    return [
        NextStep(f"triton-path practice check {name}", "check it once"),
        NextStep(f"triton-path practice watch {name}", "check it at every save"),
        NextStep(f"triton-path practice hint {name}", "a first nudge"),
    ]
