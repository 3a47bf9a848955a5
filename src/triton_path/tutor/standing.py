"""Where a learner stands on the path: what is done, what is due, what comes next."""

from __future__ import annotations

import json
from dataclasses import dataclass, replace
from datetime import date, datetime, timedelta, timezone
from typing import TYPE_CHECKING, Literal

from triton_path.course.loader import find_lesson, load_lesson
from triton_path.errors import UsageFault
from triton_path.tutor.practice_standing import count_passed, due_exercises, next_exercise
from triton_path.tutor.reviews import due_questions
from triton_path.tutor.steps import lesson_steps, position_of

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.models import Course, Lesson, LessonEntry, Stage
    from triton_path.progress.store import Store

State = Literal["planned", "new", "started", "done"]
PRACTICE = "triton-path practice start"
"""The command that lists the exercises and names the one to go on with."""


@dataclass(frozen=True)
class LessonStanding:
    """A lesson and how far the learner is in it."""

    entry: LessonEntry
    state: State
    sections_read: int = 0
    sections: int = 0
    """Sections in all; 0 for a lesson that was never opened, which is not read for this."""
    right: int = 0
    """Questions whose last answer was right."""
    questions: int = 0
    where: str = ""
    """The step the learner is at, for a person: `section 2 of 3`."""
    passed: int = 0
    """Exercises that were ever passed."""


@dataclass(frozen=True)
class StageStanding:
    """A stage and its lessons."""

    stage: Stage
    lessons: tuple[LessonStanding, ...]

    @property
    def done(self) -> int:
        """How many lessons are done."""
        return sum(lesson.state == "done" for lesson in self.lessons)

    @property
    def ready(self) -> int:
        """How many lessons are written."""
        return sum(lesson.entry.ready for lesson in self.lessons)


@dataclass(frozen=True)
class Standing:
    """The whole path, as `triton-path` with no command shows it."""

    course: Course
    stages: tuple[StageStanding, ...]
    due: int
    """Reviews due now, of questions that the course still has."""
    current: str | None
    """Id of the lesson to go on with; None where all that is written is done."""
    exercise: str | None
    """Id of the exercise to go on with; None where all are passed, or there are none."""
    exercises_due: int
    """Passed exercises that are to be written once more."""

    @property
    def lessons(self) -> tuple[LessonStanding, ...]:
        """All lessons in order."""
        return tuple(lesson for stage in self.stages for lesson in stage.lessons)

    def of(self, lesson_id: str) -> LessonStanding:
        """Return the standing in one lesson."""
        return next(lesson for lesson in self.lessons if lesson.entry.id == lesson_id)


def lesson_to_open(root: Path, course: Course, store: Store, lesson_id: str | None) -> Lesson:
    """Return the lesson of that id, or without one the lesson to go on with.

    Where all that is written is done, the last lesson opens. Raises UsageFault for an unknown id.
    """
    if lesson_id is None:
        if not course.ready:
            raise UsageFault("The course has no lesson that is written.", "triton-path course list")
        lesson_id = standing(root, course, store).current or course.ready[-1].id
    return load_lesson(root, find_lesson(course, lesson_id))


def standing(root: Path, course: Course, store: Store) -> Standing:
    """Work out the standing; reads the files of the lessons that were ever opened, no others."""
    records = store.exercises.all()
    stages = tuple(
        StageStanding(
            stage,
            tuple(
                replace(_lesson(root, entry, store), passed=count_passed(entry, records))
                for entry in stage.lessons
            ),
        )
        for stage in course.stages
    )
    lessons = [lesson for stage in stages for lesson in stage.lessons]
    return Standing(
        course=course,
        stages=stages,
        due=len(due_questions(root, course, store)),
        current=_current(lessons, store),
        exercise=next_exercise(course, records),
        exercises_due=len(due_exercises(course, records)),
    )


def next_command(now: Standing) -> str:
    """Return the one command to type next."""
    if now.current:
        return "triton-path learn"
    if now.due:
        return "triton-path quiz --review"
    return PRACTICE if now.exercise else "triton-path bench fused-transformer"


def farewell(now: Standing, lesson_id: str) -> str:
    """Return what is said when a learner leaves a lesson: where they are, how to go on."""
    lesson = now.of(lesson_id)
    if lesson.state == "done":
        return f"{lesson_id} is done. Next: {next_command(now)}"
    return f"You are at {lesson.where} of {lesson_id}. Go on: triton-path learn"


def _lesson(root: Path, entry: LessonEntry, store: Store) -> LessonStanding:
    if not entry.ready:
        return LessonStanding(entry, "planned")
    place = store.place(entry.id)
    answers = store.latest_answers(entry.id)
    if place is None and not answers:
        return LessonStanding(entry, "new")
    lesson = load_lesson(root, entry)
    read = store.read_sections(entry.id) & {section.id for section in lesson.sections}
    asked = {question.id for question in lesson.questions}
    answered = asked & answers.keys()
    done = len(read) == len(lesson.sections) and answered == asked
    steps = lesson_steps(lesson)
    where = ""
    if place is not None:
        step = steps[position_of(steps, place.step)]
        same_kind = [other for other in steps if other.kind == step.kind]
        kind = "case study, question" if step.kind == "case" else step.kind
        where = {"score": "the score", "situation": "the case study", "end": "the end"}.get(
            step.kind, f"{kind} {same_kind.index(step) + 1} of {len(same_kind)}"
        )
    return LessonStanding(
        entry,
        "done" if done else "started",
        sections_read=len(read),
        sections=len(lesson.sections),
        right=sum(answers[question] for question in answered),
        questions=len(asked),
        where=where,
    )


def _current(lessons: list[LessonStanding], store: Store) -> str | None:
    """Return the lesson opened last if it is not done, else the first that is not."""
    open_ids = [lesson.entry.id for lesson in lessons if lesson.state in ("new", "started")]
    last = store.last_place()
    if last is not None and last.lesson in open_ids:
        return last.lesson
    return open_ids[0] if open_ids else None


def streak(days: set[str], today: date | None = None) -> int:
    """Return on how many days in a row something was learnt, up to today or yesterday (UTC).

    A day that is not over yet does not break the row.
    """
    day = today or datetime.now(timezone.utc).date()
    if day.isoformat() not in days:
        day -= timedelta(days=1)
    count = 0
    while day.isoformat() in days:
        count += 1
        day -= timedelta(days=1)
    return count


def standing_json(now: Standing, days: set[str]) -> str:
    """Return the standing as JSON, for scripts."""
    report = {
        "due": now.due,
        "current": now.current,
        "exercise": now.exercise,
        "exercises_due": now.exercises_due,
        "days": len(days),
        "streak": streak(days),
        "lessons": [
            {
                "id": lesson.entry.id,
                "state": lesson.state,
                "sections_read": lesson.sections_read,
                "sections": lesson.sections,
                "questions_right": lesson.right,
                "questions": lesson.questions,
                "exercises_passed": lesson.passed,
                "exercises": len(lesson.entry.exercises),
            }
            for lesson in now.lessons
        ],
    }
    return json.dumps(report, indent=2)
