from __future__ import annotations

import os
import pickle
from typing import TYPE_CHECKING

import pytest

from tests.conftest import SmallCourse
from triton_path.course import reading
from triton_path.course.loader import load_course
from triton_path.errors import CourseFault
from triton_path.paths import cache_dir

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def reads(monkeypatch: pytest.MonkeyPatch) -> Iterator[list[str]]:
    """The names of the lessons that were really read."""
    names: list[str] = []
    read_lesson = reading.read_lesson

    def counted(root: Path, entry: object, faults: list[object]) -> object:
        names.append(entry.id)  # type: ignore[attr-defined]
        return read_lesson(root, entry, faults)  # type: ignore[arg-type]

    monkeypatch.setattr(reading, "read_lesson", counted)
    return names  # type: ignore[return-value]


def test_a_lesson_is_read_once_and_is_the_same_from_the_cache(
    course: SmallCourse, reads: list[str]
) -> None:
    first, second = course.lesson(), course.lesson()
    assert reads == ["shapes"]
    assert first == second


@pytest.mark.parametrize(
    ("file", "old", "new"),
    [
        (SmallCourse.QUIZ, "What is a tile?", "What is a pile?"),
        (SmallCourse.CASE, "A slow tile", "A slow pile"),
        (SmallCourse.LESSON, "first lane", "last lane"),
        ("lessons/shapes/tile.py", "tile = 32", "tile = 64"),
        ("lessons/shapes/wrong.py", "n = 1", "n = 2"),
    ],
)
def test_a_file_that_changed_is_read_again(
    course: SmallCourse, reads: list[str], file: str, old: str, new: str
) -> None:
    before = course.lesson()
    course.replace(file, old, new)
    assert course.lesson() != before
    assert reads == ["shapes", "shapes"]


def test_a_file_in_a_folder_of_the_lesson_that_changed_is_read_again(course: SmallCourse) -> None:
    course.write("lessons/shapes/listings/deep.py", "# region: shown\nold\n# endregion\n")
    course.replace(course.LESSON, "file: tile.py", "file: listings/deep.py")
    before = course.lesson()
    course.write("lessons/shapes/listings/deep.py", "# region: shown\nnew\n# endregion\n")
    assert course.lesson() != before


def test_a_file_that_vanished_is_missed(course: SmallCourse) -> None:
    course.lesson()
    course.path("lessons/shapes/count.py").unlink()
    with pytest.raises(CourseFault, match=r"count\.py"):
        course.lesson()


def test_a_course_file_that_changed_is_read_again(course: SmallCourse) -> None:
    load_course(course.root)
    course.replace("course.yaml", "title: Sizes", "title: Seizes")
    assert load_course(course.root).lessons[1].title == "Seizes"


def test_a_broken_lesson_is_not_kept(course: SmallCourse) -> None:
    course.replace(course.QUIZ, "unit: KiB", "units: KiB")
    for _ in range(2):
        with pytest.raises(CourseFault):
            course.lesson()
    course.replace(course.QUIZ, "units: KiB", "unit: KiB")
    assert course.lesson().id == "shapes"


@pytest.mark.parametrize("content", [b"", b"no pickle", pickle.dumps(5), pickle.dumps(([], None))])
def test_a_broken_cache_is_no_cache(course: SmallCourse, reads: list[str], content: bytes) -> None:
    course.lesson()
    kept = [path for path in cache_dir().iterdir() if path.suffix == ".pickle"]
    assert kept
    for path in kept:
        path.write_bytes(content)
    assert course.lesson().id == "shapes"
    assert reads == ["shapes", "shapes"]


def test_two_courses_are_kept_apart(course: SmallCourse, tmp_path: Path) -> None:
    from tests.conftest import build_course

    other = build_course(tmp_path / "other")
    other.replace(other.QUIZ, "What is a tile?", "What is a pile?")
    assert course.lesson() != other.lesson()
    assert course.lesson().folder.is_relative_to(course.root)


def test_without_a_place_for_it_there_is_no_cache(
    course: SmallCourse, home: Path, reads: list[str]
) -> None:
    home.write_text("in the way")
    assert course.lesson() == course.lesson()
    assert reads == ["shapes", "shapes"]


def test_nothing_half_written_is_left_behind(course: SmallCourse) -> None:
    course.lesson()
    assert not [path for path in cache_dir().iterdir() if path.suffix != ".pickle"]
    assert str(os.getpid()) not in "".join(path.name for path in cache_dir().iterdir())
