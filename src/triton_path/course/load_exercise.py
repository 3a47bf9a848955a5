"""Exercises, whole or only their heads: from the cache where nothing changed, else read anew."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from triton_path.course.cache import cached
from triton_path.course.exercises import FOLDER, Exercise
from triton_path.course.fields import Line  # noqa: TC001 (pydantic resolves it)
from triton_path.course.files import inside
from triton_path.errors import unknown_name
from triton_path.jobs import grading

if TYPE_CHECKING:
    from triton_path.course.models import Course

LIST_COMMAND = "triton-path practice list"
GRADING = Path(grading.__file__)
"""A model that lies outside of this package: what is cached is stale if it changes."""


@dataclass(frozen=True, kw_only=True)
class ExerciseHead:
    """What a list says of an exercise: the first fields of exercise.yaml, the others unread."""

    title: Line
    kind: Literal["kernel", "hunt"]
    summary: Line


@dataclass(frozen=True)
class ExerciseHeads:
    """The heads of all exercises of a course, by their id."""

    by_id: dict[str, ExerciseHead]


def find_exercise(course: Course, name: str) -> str:
    """Return the id of the exercise that a person calls `name`. Raises UsageFault.

    The name of its file will do: `vector_add` or `vector_add.py` for `vector-add`.
    """
    wanted = name.strip().lower().removesuffix(".py").replace("_", "-")
    if wanted in course.exercises:
        return wanted
    raise unknown_name("exercise", name, course.exercises, LIST_COMMAND)


def load_heads(root: Path, course: Course) -> dict[str, ExerciseHead]:
    """Return the heads of all exercises, in the course's order. Raises CourseFault."""
    files = [root / FOLDER / name / "exercise.yaml" for name in course.exercises]
    return cached(
        ExerciseHeads, "", [root / "course.yaml", *files], lambda: _read_heads(root, course)
    ).by_id


def _read_heads(root: Path, course: Course) -> ExerciseHeads:
    from triton_path.course.faults import Fault, raise_for
    from triton_path.course.source import parse_yaml
    from triton_path.course.text import SourceError, read_text

    faults: list[Fault] = []
    heads: dict[str, ExerciseHead] = {}
    for name in course.exercises:
        file = f"{FOLDER}/{name}/exercise.yaml"
        folder = inside(root / FOLDER, name)
        if folder is None or not folder.is_dir():
            message = f"there is no folder '{FOLDER}/{name}' in the course"
            faults.append(Fault("course.yaml", 1, "", message))
            continue
        try:
            source = parse_yaml(read_text(folder / "exercise.yaml", file), file)
            heads[name] = source.validate(ExerciseHead)
        except SourceError as error:
            faults.extend(error.faults)
    raise_for(faults)
    return ExerciseHeads(heads)


def load_exercise(root: Path, slug: str) -> Exercise:
    """Return an exercise, whole. Raises CourseFault with every fault found."""

    def read() -> Exercise:
        from triton_path.course.faults import Fault, raise_for
        from triton_path.course.read_exercise import read_exercise

        faults: list[Fault] = []
        exercise = read_exercise(root, slug, faults)
        raise_for(faults)
        assert exercise is not None
        return exercise

    folder = inside(root / FOLDER, slug)
    found = sorted(folder.rglob("*")) if folder else []
    # What Python keeps of programs that were run says nothing of the exercise.
    files = [path for path in found if "__pycache__" not in path.parts]
    return cached(Exercise, slug, [root / "course.yaml", *files, GRADING], read)
