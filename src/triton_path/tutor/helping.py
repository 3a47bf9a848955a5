"""Help with an exercise, in steps: three hints, and the solution after a pass."""

from __future__ import annotations

import ast
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.errors import UsageFault
from triton_path.tutor.own_files import kind_of, read_own

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.blocks import Block
    from triton_path.course.exercises import Exercise
    from triton_path.progress.store import Store

KINDS = ("a nudge", "the idea", "the lines")
"""What the hints are, in order."""


@dataclass(frozen=True)
class Hint:
    """A hint."""

    number: int
    """From 1."""
    blocks: tuple[Block, ...]

    @property
    def kind(self) -> str:
        """What it is, in two words."""
        return KINDS[self.number - 1]

    @property
    def left(self) -> int:
        """How many come after it."""
        return len(KINDS) - self.number


def next_hint(exercise: Exercise, store: Store) -> Hint | None:
    """Return the hint after those that were seen, and note that it is; None after the last."""
    number = store.exercises.of(exercise.id).hints + 1
    if number > len(KINDS):
        return None
    store.exercises.see_hint(exercise.id, number)
    return Hint(number, exercise.about.hints[number - 1])


def seen_hints(exercise: Exercise, store: Store) -> tuple[Hint, ...]:
    """Return the hints that were seen since the exercise was begun, in order."""
    seen = store.exercises.of(exercise.id).hints
    return tuple(Hint(number, exercise.about.hints[number - 1]) for number in range(1, seen + 1))


def open_solution(exercise: Exercise, store: Store, *, anyway: bool) -> None:
    """Note that the solution is shown. Raises UsageFault before a pass, unless `anyway`."""
    passed = store.exercises.of(exercise.id).passed
    if not passed and not anyway:
        raise UsageFault(
            f"You have not passed {exercise.id} yet. A hint may be enough; the solution all the "
            f"same: triton-path practice solution {exercise.id} --anyway",
            f"triton-path practice hint {exercise.id}",
        )
    store.exercises.see_solution(exercise.id, early=not passed)


def own_program(exercise: Exercise, path: Path) -> tuple[Path, str] | None:
    """Return the learner's file and its text without the specification; None where none is."""
    if kind_of(path) != "file":
        return None
    text = read_own(path, f"triton-path practice solution {exercise.id}")
    return path, without_specification(text, exercise)


def without_specification(text: str, exercise: Exercise) -> str:
    """Return a program without its docstring where that is only the exercise's specification."""
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError, RecursionError):
        return text
    if ast.get_docstring(tree) != exercise.specification:
        return text
    return "\n".join(text.splitlines()[tree.body[0].end_lineno :]).strip("\n")
