"""The course and its lessons, as models: from the cache where nothing changed, else read anew."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING

from triton_path.course.cache import cached
from triton_path.course.files import inside
from triton_path.course.models import Course, Lesson, LessonEntry
from triton_path.errors import CourseFault, UsageFault, unknown_name
from triton_path.paths import CONTENT_VARIABLE

if TYPE_CHECKING:
    from pathlib import Path


def load_course(root: Path) -> Course:
    """Return the path of the course in `root`, without the lessons' texts. Raises CourseFault."""
    require_course(root)

    def read() -> Course:
        from triton_path.course.reading import read_course

        return read_course(root)

    return cached(Course, "", [root / "course.yaml"], read)


def require_course(root: Path) -> None:
    """Raise CourseFault where `root` is no course folder."""
    try:
        found = (root / "course.yaml").is_file()
    except OSError:  # a name that is too long
        found = False
    if not found:
        raise CourseFault(
            f"There is no course in {root}: it has no course.yaml.",
            f"unset {CONTENT_VARIABLE}" if CONTENT_VARIABLE in os.environ else None,
        )


def find_lesson(course: Course, lesson_id: str) -> LessonEntry:
    """Return the entry of a lesson that is written. Raises UsageFault for any other name."""
    for entry in course.ready:
        if entry.id == lesson_id:
            return entry
    planned = [entry for entry in course.lessons if entry.id == lesson_id]
    if planned:
        raise UsageFault(
            f"The lesson '{lesson_id}' is planned, not written yet.", "triton-path course list"
        )
    names = [entry.id for entry in course.ready]
    raise unknown_name("lesson", lesson_id, names, "triton-path course list")


def load_lesson(root: Path, entry: LessonEntry) -> Lesson:
    """Return a lesson that is written. Raises CourseFault with every fault found."""

    def read() -> Lesson:
        from triton_path.course.faults import Fault, raise_for
        from triton_path.course.reading import read_lesson

        faults: list[Fault] = []
        lesson = read_lesson(root, entry, faults)
        raise_for(faults)
        assert lesson is not None
        return lesson

    folder = inside(root, entry.folder or "")
    files = sorted(folder.rglob("*")) if folder else []
    return cached(Lesson, entry.id, [root / "course.yaml", *files], read)
