from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from triton_path.course.loader import load_course
from triton_path.progress import clock as clock_module
from triton_path.progress.store import Store, open_store
from triton_path.tutor.asking import Answer, grade
from triton_path.tutor.reviews import due_questions, keep_answer, lesson_questions

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from tests.conftest import SmallCourse
    from triton_path.course.models import Lesson


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(home) as opened:
        yield opened


def due(course: SmallCourse, store: Store) -> list[str]:
    return [asked.key for asked in due_questions(course.root, load_course(course.root), store)]


def keep(store: Store, lesson: Lesson, number: int, answer: Answer) -> None:
    keep_answer(store, "shapes", grade(lesson.questions[number], answer))


@pytest.fixture
def go_on(monkeypatch: pytest.MonkeyPatch) -> Callable[[], None]:
    """Let 400 days pass."""
    later = datetime.now(timezone.utc) + timedelta(days=400)
    return lambda: monkeypatch.setattr(clock_module, "now", lambda: later)


def test_questions_come_in_order_with_the_title_of_their_section(lesson: Lesson) -> None:
    asked = lesson_questions(lesson)
    assert [item.key for item in asked][:2] == ["shapes/one-right", "shapes/two-right"]
    assert [item.section.title for item in asked] == ["Tiles", "Lanes", "Tiles", "Lanes", "Lanes"]


def test_an_answer_is_kept_as_json_with_its_grade(lesson: Lesson, store: Store) -> None:
    keep_answer(store, "shapes", grade(lesson.questions[1], ("element", "launch")))
    (row,) = store.dump()["answer"]
    assert (row["question"], row["chosen"], row["correct"]) == (
        "two-right", '["element", "launch"]', 0,
    )  # fmt: skip


def test_a_question_left_out_is_not_kept(lesson: Lesson, store: Store) -> None:
    keep_answer(store, "shapes", grade(lesson.questions[0], None))
    assert store.is_empty()


def test_nothing_is_due_before_its_time(course: SmallCourse, lesson: Lesson, store: Store) -> None:
    keep(store, lesson, 0, "block")
    assert due(course, store) == []


def test_answered_questions_come_back_the_missed_one_first(
    course: SmallCourse, lesson: Lesson, store: Store, go_on: Callable[[], None]
) -> None:
    keep(store, lesson, 0, "block")
    keep(store, lesson, 2, 5.0)
    go_on()
    assert due(course, store) == ["shapes/how-many", "shapes/one-right"]


def test_a_question_that_the_course_dropped_is_passed_over_and_its_history_stays(
    course: SmallCourse, lesson: Lesson, store: Store, go_on: Callable[[], None]
) -> None:
    keep(store, lesson, 0, "block")
    keep_answer(store, "gone", grade(lesson.questions[0], "block"))
    course.replace(course.QUIZ, "id: one-right", "id: renamed")
    go_on()
    assert due(course, store) == []
    assert len(store.dump()["card"]) == 2


def test_a_lesson_with_nothing_due_is_not_read(
    course: SmallCourse, lesson: Lesson, store: Store, go_on: Callable[[], None]
) -> None:
    keep_answer(store, "gone", grade(lesson.questions[0], "block"))
    course.write(course.QUIZ, "broken: [")
    go_on()
    assert due(course, store) == []


def test_a_review_that_was_answered_moves_on(
    course: SmallCourse, lesson: Lesson, store: Store, go_on: Callable[[], None]
) -> None:
    keep(store, lesson, 0, "block")
    go_on()
    assert due(course, store) == ["shapes/one-right"]
    keep(store, lesson, 0, "block")
    assert due(course, store) == []
