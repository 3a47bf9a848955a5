"""What the commands of `practice` work on together."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.exercises import Exercise
    from triton_path.course.models import Course
    from triton_path.progress.store import Store


@dataclass(frozen=True)
class Desk:
    """What is open: the course and the learner's store."""

    root: Path
    course: Course
    store: Store


@dataclass(frozen=True)
class Work:
    """An exercise and the learner's file."""

    exercise: Exercise
    path: Path
