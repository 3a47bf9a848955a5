from __future__ import annotations

import json
from datetime import timedelta
from typing import TYPE_CHECKING

import pytest

from triton_path.course.load_exercise import load_heads
from triton_path.course.loader import load_course
from triton_path.errors import UsageFault
from triton_path.progress import clock as clock_module
from triton_path.progress.store import Store, open_store
from triton_path.tutor.practice_listing import chosen, listing_json, next_steps
from triton_path.tutor.practice_standing import (
    PracticeStanding,
    exercise_to_start,
    next_step,
    practice_standing,
)
from triton_path.tutor.standing import next_command, standing, standing_json

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from tests.conftest import SmallCourse
    from triton_path.course.models import Course


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(home) as opened:
        yield opened


@pytest.fixture
def path(exercises: SmallCourse) -> Course:
    return load_course(exercises.root)


def stand(exercises: SmallCourse, store: Store) -> PracticeStanding:
    course = load_course(exercises.root)
    return practice_standing(course, load_heads(exercises.root, course), store)


def give_pass(store: Store, *names: str, stars: int = 1) -> None:
    for name in names:
        store.exercises.keep_check(name, passed=True, stars=stars, fault="")


def later(monkeypatch: pytest.MonkeyPatch) -> None:
    at = clock_module.now() + timedelta(days=400)
    monkeypatch.setattr(clock_module, "now", lambda: at)


def test_at_the_start_the_first_exercise_is_next(exercises: SmallCourse, store: Store) -> None:
    now = stand(exercises, store)
    assert [exercise.state for exercise in now.exercises] == ["new", "new", "new"]
    assert (now.next, now.passed, now.due) == ("copy-tile", 0, ())


def test_exercises_of_lessons_that_are_not_written_come_last(
    exercises: SmallCourse, store: Store
) -> None:
    exercises.replace("course.yaml", "exercises: [copy-tile, fill-tile]", "exercises: [grow-tile]")
    exercises.replace("course.yaml", "planned, exercises: [grow-tile]",
                      "planned, exercises: [copy-tile, fill-tile]")  # fmt: skip
    now = stand(exercises, store)
    assert [exercise.id for exercise in now.exercises] == ["grow-tile", "copy-tile", "fill-tile"]
    assert now.next == "grow-tile"


def test_states_and_counts(exercises: SmallCourse, store: Store) -> None:
    give_pass(store, "copy-tile", stars=3)
    store.exercises.begin("grow-tile")
    now = stand(exercises, store)
    assert [exercise.state for exercise in now.exercises] == ["passed", "new", "started"]
    assert now.exercises[0].record.stars == 3
    assert now.passed == 1


def test_what_was_begun_last_is_gone_on_with(path: Course, store: Store) -> None:
    store.exercises.begin("copy-tile")
    store.exercises.begin("grow-tile")
    assert next_step(path, store).command == "triton-path practice check grow-tile"
    assert exercise_to_start(path, store) == "grow-tile"
    store.exercises.see_hint("copy-tile", 1)
    assert exercise_to_start(path, store) == "copy-tile"


def test_after_a_pass_comes_what_stands_behind_it(path: Course, store: Store) -> None:
    give_pass(store, "fill-tile")
    assert next_step(path, store).command == "triton-path practice start grow-tile"
    give_pass(store, "grow-tile")
    assert next_step(path, store).command == "triton-path practice start copy-tile"


def test_when_all_are_passed_nothing_is_left_but_what_is_due(
    path: Course, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_pass(store, "copy-tile", "fill-tile", "grow-tile")
    assert next_step(path, store).command == "triton-path"
    with pytest.raises(UsageFault, match="passed every exercise"):
        exercise_to_start(path, store)
    later(monkeypatch)
    assert next_step(path, store).command == "triton-path practice reset copy-tile"


def test_an_exercise_begun_anew_is_gone_on_with_and_stays_passed(
    exercises: SmallCourse, path: Course, store: Store
) -> None:
    give_pass(store, "copy-tile")
    store.exercises.begin("copy-tile")
    assert exercise_to_start(path, store) == "copy-tile"
    assert stand(exercises, store).exercises[0].state == "passed"


def test_exercises_that_the_course_dropped_do_not_count(
    exercises: SmallCourse, path: Course, store: Store
) -> None:
    give_pass(store, "gone")
    store.exercises.begin("gone-too")
    now = stand(exercises, store)
    assert (now.next, now.passed) == ("copy-tile", 0)


def test_a_course_without_exercises(course: SmallCourse, store: Store) -> None:
    with pytest.raises(UsageFault, match="no exercises"):
        exercise_to_start(load_course(course.root), store)


@pytest.mark.parametrize(
    ("words", "state", "lesson", "ids"),
    [
        ((), None, None, ["copy-tile", "fill-tile", "grow-tile"]),
        (("COPY",), None, None, ["copy-tile"]),
        (("tile", "hunt"), None, None, ["grow-tile"]),
        (("shapes",), None, None, ["copy-tile", "fill-tile"]),
        (("mask",), None, None, ["copy-tile", "fill-tile", "grow-tile"]),
        (("tile", "nothing"), None, None, []),
        ((), "passed", None, ["copy-tile"]),
        ((), "started", None, ["fill-tile"]),
        ((), "new", None, ["grow-tile"]),
        ((), "due", None, []),
        ((), None, "sizes", ["grow-tile"]),
        ((), None, "speeds", []),
    ],
)
def test_a_list_is_chosen_from(
    exercises: SmallCourse, path: Course, store: Store,
    words: tuple[str, ...], state: str | None, lesson: str | None, ids: list[str],
) -> None:  # fmt: skip
    give_pass(store, "copy-tile")
    store.exercises.begin("fill-tile")
    shown = chosen(stand(exercises, store), path, words, state=state, lesson=lesson)
    assert [exercise.id for exercise in shown] == ids


def test_a_lesson_that_is_none_is_refused(
    exercises: SmallCourse, path: Course, store: Store
) -> None:
    with pytest.raises(UsageFault, match="Did you mean 'shapes'"):
        chosen(stand(exercises, store), path, (), state=None, lesson="shape")


def test_what_is_due_is_offered_too(
    exercises: SmallCourse, path: Course, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_pass(store, "copy-tile")
    later(monkeypatch)
    now = stand(exercises, store)
    assert now.due == ("copy-tile",)
    commands = [step.command for step in next_steps(now, path, store)]
    assert commands == [
        "triton-path practice start fill-tile", "triton-path practice reset copy-tile",
    ]  # fmt: skip


def test_the_list_as_json(exercises: SmallCourse, store: Store) -> None:
    store.exercises.keep_check("copy-tile", passed=False, stars=0, fault="never-written")
    now = stand(exercises, store)
    report = json.loads(listing_json(now, now.exercises[:1], store))
    assert report["next"] == "copy-tile"
    assert report["exercises"] == [
        {"id": "copy-tile", "title": "Copy a tile", "kind": "kernel", "lesson": "shapes",
         "lesson_is_written": True, "state": "started", "stars": 0, "checks": 1,
         "last_fault": "never-written", "hints_seen": 0, "due": None, "is_due": False,
         "file": None},
    ]  # fmt: skip


def test_the_path_knows_of_exercises(
    exercises: SmallCourse, path: Course, store: Store, monkeypatch: pytest.MonkeyPatch
) -> None:
    give_pass(store, "copy-tile")
    now = standing(exercises.root, path, store)
    assert now.of("shapes").passed == 1
    assert (now.exercise, now.exercises_due) == ("fill-tile", 0)
    report = json.loads(standing_json(now, set()))
    assert report["lessons"][0]["exercises_passed"] == 1
    assert report["lessons"][0]["exercises"] == 2
    later(monkeypatch)
    assert standing(exercises.root, path, store).exercises_due == 1


def test_when_lessons_are_done_exercises_are_next(
    exercises: SmallCourse, path: Course, store: Store
) -> None:
    lesson = exercises.lesson()
    for section in lesson.sections:
        store.mark_read("shapes", section.id)
    for question in lesson.questions:
        store.record_answer("shapes", question.id, "x", correct=True)
    assert next_command(standing(exercises.root, path, store)) == "triton-path practice start"
    give_pass(store, "copy-tile", "fill-tile", "grow-tile")
    assert next_command(standing(exercises.root, path, store)).startswith("triton-path bench")
