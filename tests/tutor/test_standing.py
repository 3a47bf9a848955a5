from __future__ import annotations

import json
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from triton_path.course.loader import load_course
from triton_path.errors import CourseFault, TutorError, UsageFault
from triton_path.progress import clock as clock_module
from triton_path.progress.store import Place, Store, open_store
from triton_path.tutor.standing import Standing, lesson_to_open, standing, standing_json, streak

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import SmallCourse

QUESTIONS = ["one-right", "two-right", "how-many", "what-prints", "which-line"]
TWO_READY = "{id: sizes, title: Sizes, status: ready, folder: lessons/shapes}"


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(home) as opened:
        yield opened


def now(course: SmallCourse, store: Store) -> Standing:
    return standing(course.root, load_course(course.root), store)


def opened(course: SmallCourse, store: Store, name: str | None) -> str:
    return lesson_to_open(course.root, load_course(course.root), store, name).id


def finish(store: Store, lesson: str = "shapes", *, correct: bool = True) -> None:
    for section in ("tiles", "lanes"):
        store.mark_read(lesson, section)
    for question in QUESTIONS:
        store.record_answer(lesson, question, "x", correct=correct)


def test_at_the_start_nothing_is_done_and_the_first_lesson_is_next(
    course: SmallCourse, store: Store
) -> None:
    at = now(course, store)
    assert [lesson.state for lesson in at.lessons] == ["new", "planned", "planned"]
    assert (at.current, at.due) == ("shapes", 0)
    assert [(stage.done, stage.ready) for stage in at.stages] == [(0, 1), (0, 0)]


@pytest.mark.parametrize(
    ("step", "where"),
    [
        ("section/tiles", "section 1 of 2"),
        ("section/lanes", "section 2 of 2"),
        ("question/how-many", "question 3 of 5"),
        ("score/quiz", "the score"),
        ("situation/case-study", "the case study"),
        ("case/why-slow", "case study, question 1 of 1"),
        ("end/shapes", "the end"),
        ("section/dropped", "section 1 of 2"),
    ],
)
def test_a_lesson_that_was_opened_says_where_the_learner_is(
    course: SmallCourse, store: Store, step: str, where: str
) -> None:
    store.save_place(Place("shapes", step, 0))
    lesson = now(course, store).of("shapes")
    assert (lesson.state, lesson.where) == ("started", where)


def test_a_lesson_is_done_when_all_is_read_and_answered_right_or_wrong(
    course: SmallCourse, store: Store
) -> None:
    finish(store, correct=False)
    lesson = now(course, store).of("shapes")
    assert lesson.state == "done"
    assert (lesson.sections_read, lesson.sections, lesson.right, lesson.questions) == (2, 2, 0, 5)


def test_a_missing_section_keeps_a_lesson_open(course: SmallCourse, store: Store) -> None:
    store.mark_read("shapes", "tiles")
    for question in QUESTIONS:
        store.record_answer("shapes", question, "x", correct=True)
    lesson = now(course, store).of("shapes")
    assert (lesson.state, lesson.sections_read, lesson.right) == ("started", 1, 5)


def test_a_missing_answer_keeps_a_lesson_open(course: SmallCourse, store: Store) -> None:
    for section in ("tiles", "lanes"):
        store.mark_read("shapes", section)
    for question in QUESTIONS[:-1]:
        store.record_answer("shapes", question, "x", correct=True)
    lesson = now(course, store).of("shapes")
    assert (lesson.state, lesson.sections_read, lesson.right) == ("started", 2, 4)


def test_progress_of_what_the_course_dropped_does_not_count(
    course: SmallCourse, store: Store
) -> None:
    store.mark_read("shapes", "dropped")
    store.record_answer("shapes", "dropped", "x", correct=True)
    store.record_answer("gone", "q", "x", correct=True)
    store.save_place(Place("gone", "section/a", 0))
    at = now(course, store)
    lesson = at.of("shapes")
    assert (lesson.sections_read, lesson.right) == (0, 0)
    assert at.current == "shapes"


def test_the_lesson_opened_last_is_gone_on_with(course: SmallCourse, store: Store) -> None:
    course.replace("course.yaml", "{id: sizes, title: Sizes, status: planned}", TWO_READY)
    store.save_place(Place("shapes", "section/tiles", 0))
    store.save_place(Place("sizes", "section/tiles", 0))
    assert now(course, store).current == "sizes"
    finish(store, "sizes")
    assert now(course, store).current == "shapes"
    finish(store, "shapes")
    assert now(course, store).current is None


def test_a_named_lesson_is_opened_and_an_unknown_one_refused(
    course: SmallCourse, store: Store
) -> None:
    assert opened(course, store, "shapes") == "shapes"
    with pytest.raises(UsageFault, match="Did you mean 'shapes'"):
        opened(course, store, "shape")


def test_without_a_name_the_current_lesson_opens_and_the_last_when_all_is_done(
    course: SmallCourse, store: Store
) -> None:
    assert opened(course, store, None) == "shapes"
    finish(store)
    assert opened(course, store, None) == "shapes"


def test_a_course_with_no_lesson_to_open_says_so(course: SmallCourse, store: Store) -> None:
    ready = "status: ready, folder: lessons/shapes"
    course.replace("course.yaml", ready, "status: planned")
    assert now(course, store).current is None
    with pytest.raises(TutorError, match="no lesson"):
        opened(course, store, None)


def test_lessons_that_were_never_opened_are_not_read(course: SmallCourse, store: Store) -> None:
    course.write(course.QUIZ, "broken: [")
    assert now(course, store).current == "shapes"
    store.save_place(Place("shapes", "section/tiles", 0))
    with pytest.raises(CourseFault):
        now(course, store)


TODAY = date(2026, 3, 10)


@pytest.mark.parametrize(
    ("days", "row"),
    [
        (set(), 0),
        ({"2026-03-10"}, 1),
        ({"2026-03-09"}, 1),
        ({"2026-03-08"}, 0),
        ({"2026-03-10", "2026-03-09", "2026-03-08"}, 3),
        ({"2026-03-09", "2026-03-08"}, 2),
        ({"2026-03-10", "2026-03-08"}, 1),
        ({"2026-03-10", "2026-03-09", "2026-03-01", "2026-02-28"}, 2),
        ({"2026-03-11"}, 0),
    ],
)
def test_a_streak_counts_days_in_a_row(days: set[str], row: int) -> None:
    assert streak(days, TODAY) == row


def test_a_streak_goes_over_the_end_of_a_month() -> None:
    assert streak({"2024-03-01", "2024-02-29", "2024-02-28"}, date(2024, 3, 1)) == 3


def test_the_standing_as_json(
    course: SmallCourse, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    finish(store)
    later = datetime.now(timezone.utc) + timedelta(days=400)
    monkeypatch.setattr(clock_module, "now", lambda: later)
    report = json.loads(standing_json(now(course, store), {"2026-01-01"}))
    assert report == {
        "due": 5,
        "current": None,
        "exercise": None,
        "exercises_due": 0,
        "days": 1,
        "streak": 0,
        "lessons": [
            {"id": "shapes", "state": "done", "sections_read": 2, "sections": 2,
             "questions_right": 5, "questions": 5,
             "exercises_passed": 0, "exercises": 0},
            {"id": "sizes", "state": "planned", "sections_read": 0, "sections": 0,
             "questions_right": 0, "questions": 0,
             "exercises_passed": 0, "exercises": 0},
            {"id": "speeds", "state": "planned", "sections_read": 0, "sections": 0,
             "questions_right": 0, "questions": 0,
             "exercises_passed": 0, "exercises": 0},
        ],
    }  # fmt: skip
