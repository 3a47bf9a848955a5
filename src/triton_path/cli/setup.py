"""What most commands open first: the course and the learner's store."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING

from triton_path.course.loader import load_course
from triton_path.paths import content_dir, data_dir
from triton_path.progress.store import open_store

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triton_path.course.models import Course
    from triton_path.progress.store import Store


@contextlib.contextmanager
def course_and_store() -> Iterator[tuple[Path, Course, Store]]:
    """Open the course folder and the store; warnings go to stderr."""
    root = content_dir()
    course = load_course(root)
    with open_store(data_dir(), warn) as store:
        yield root, course, store


def warn(message: str) -> None:
    """Write a note to stderr, where it cannot mix with JSON."""
    sys.stderr.write(f"triton-path: {message}\n")
