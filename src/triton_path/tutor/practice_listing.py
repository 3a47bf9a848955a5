"""Which exercises a list shows, in what form a program reads it, and what to type after it."""

from __future__ import annotations

import json
from typing import TYPE_CHECKING

from triton_path.errors import unknown_name
from triton_path.tutor.own_files import kind_of
from triton_path.tutor.practice_standing import AGAIN, NextStep, day_text, next_step
from triton_path.tutor.workspace import own_path, workspace

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.course.models import Course
    from triton_path.progress.store import Store
    from triton_path.tutor.practice_standing import ExerciseStanding, PracticeStanding


def chosen(
    standing: PracticeStanding,
    course: Course,
    words: Sequence[str],
    *,
    state: str | None,
    lesson: str | None,
) -> tuple[ExerciseStanding, ...]:
    """Return the exercises in which all `words` occur, of a state and of a lesson.

    Raises UsageFault for a lesson that is none.
    """
    names = [entry.id for entry in course.lessons]
    if lesson is not None and lesson not in names:
        raise unknown_name("lesson", lesson, names, "triton-path course list")
    return tuple(
        exercise
        for exercise in standing.exercises
        if (lesson is None or exercise.lesson.id == lesson)
        and (state is None or (exercise.due if state == "due" else exercise.state == state))
        and all(word.casefold() in _text(exercise) for word in words)
    )


def none_text(
    standing: PracticeStanding, words: Sequence[str], *, state: str | None, lesson: str | None
) -> str:
    """Say why no exercise is shown, where only a state was asked for; else nothing."""
    if words or lesson is not None or state is None:
        return ""
    if state != "due":
        return {
            "new": "You have begun every exercise.",
            "started": "You have begun no exercise that is not passed.",
            "passed": "You have passed no exercise yet.",
        }[state]
    later = [(it.record.due, it.id) for it in standing.exercises if it.record.due is not None]
    if not later:
        return "None is due. An exercise that you passed comes back some days later."
    due, name = min(later)
    return f"None is due today. The next one is {name}, on {day_text(due)}."


def _text(exercise: ExerciseStanding) -> str:
    head, lesson = exercise.head, exercise.lesson
    parts = (exercise.id, head.title, head.summary, head.kind, lesson.id, lesson.title)
    return "\n".join(parts).casefold()


def next_steps(standing: PracticeStanding, course: Course, store: Store) -> tuple[NextStep, ...]:
    """Return the command to type next, and the one for what is due."""
    first = next_step(course, store)
    if not standing.due:
        return (first,)
    again = NextStep(f"triton-path practice reset {standing.due[0]}", AGAIN)
    return (first,) if first == again else (first, again)


def listing_json(
    standing: PracticeStanding, shown: Sequence[ExerciseStanding], store: Store
) -> str:
    """Return the exercises `shown` as JSON, for scripts."""
    folder = workspace(store)

    def file_of(exercise: ExerciseStanding) -> str | None:
        path = own_path(folder, exercise.id)
        return str(path) if kind_of(path) == "file" else None

    report = {
        "workspace": str(folder),
        "next": standing.next,
        "exercises": [
            {
                "id": exercise.id,
                "title": exercise.head.title,
                "kind": exercise.head.kind,
                "lesson": exercise.lesson.id,
                "lesson_is_written": exercise.lesson.ready,
                "state": exercise.state,
                "stars": exercise.record.stars,
                "checks": exercise.record.checks,
                "last_fault": exercise.record.fault or None,
                "hints_seen": exercise.record.hints,
                "due": exercise.record.due.isoformat() if exercise.record.due else None,
                "is_due": exercise.due,
                "file": file_of(exercise),
            }
            for exercise in shown
        ],
    }
    return json.dumps(report, indent=2)
