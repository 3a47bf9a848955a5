"""Where a learner stands with the exercises: what is passed, what comes next, what is due."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from triton_path.errors import UsageFault
from triton_path.progress import clock
from triton_path.progress.exercises import NOTHING

if TYPE_CHECKING:
    from collections.abc import Mapping
    from datetime import datetime

    from triton_path.course.load_exercise import ExerciseHead
    from triton_path.course.models import Course, LessonEntry
    from triton_path.jobs.practice import Verdict
    from triton_path.progress.exercises import ExerciseRecord
    from triton_path.progress.store import Store

    Records = Mapping[str, ExerciseRecord]

State = Literal["new", "started", "passed"]
AGAIN = "due again"
LEVELS = 3
"""Stars that an exercise can have."""


@dataclass(frozen=True)
class ExerciseStanding:
    """An exercise and what the learner did with it."""

    id: str
    head: ExerciseHead
    lesson: LessonEntry
    record: ExerciseRecord

    @property
    def state(self) -> State:
        """Passed once is passed for good, also where it was begun anew."""
        return state_of(self.record)

    @property
    def due(self) -> bool:
        """Whether it is to be written once more."""
        return is_due(self.record)


@dataclass(frozen=True)
class PracticeStanding:
    """All exercises, those of written lessons first."""

    exercises: tuple[ExerciseStanding, ...]
    next: str | None
    """Id of the exercise to go on with; None where all are passed."""

    @property
    def passed(self) -> int:
        """How many are passed."""
        return sum(exercise.state == "passed" for exercise in self.exercises)

    @property
    def due(self) -> tuple[str, ...]:
        """Ids of those that are due, in order."""
        return tuple(exercise.id for exercise in self.exercises if exercise.due)


@dataclass(frozen=True)
class NextStep:
    """A command to type, and what it is about."""

    command: str
    about: str


@dataclass(frozen=True)
class Recorded:
    """What a check changed."""

    first_pass: bool
    more_stars: bool
    """Whether there are more than ever before."""
    due: datetime | None
    """When the exercise comes back; None for one that never passed."""


def practice_standing(
    course: Course, heads: Mapping[str, ExerciseHead], store: Store
) -> PracticeStanding:
    """Work out the standing."""
    records = store.exercises.all()
    return PracticeStanding(
        tuple(
            ExerciseStanding(name, heads[name], lesson, records.get(name, NOTHING))
            for lesson, name in in_order(course)
        ),
        next_exercise(course, records),
    )


def in_order(course: Course) -> list[tuple[LessonEntry, str]]:
    """Return lessons and their exercises in the order in which they are done.

    Exercises whose lesson is not written yet come last.
    """
    pairs = [(lesson, name) for lesson in course.lessons for name in lesson.exercises]
    return sorted(pairs, key=lambda pair: not pair[0].ready)  # a stable sort


def state_of(record: ExerciseRecord) -> State:
    """Return the state of an exercise."""
    if record.passed:
        return "passed"
    return "started" if record.begun else "new"


def is_due(record: ExerciseRecord) -> bool:
    """Whether a passed exercise is to be written once more."""
    return record.due is not None and record.due <= clock.now()


def day_text(when: datetime) -> str:
    """Return a day here, such as `Friday, 4 December`."""
    day = when.astimezone()
    return f"{day:%A}, {day.day} {day:%B}"


def due_exercises(course: Course, records: Records) -> list[str]:
    """Return the exercises to be written once more, in order."""
    return [name for _, name in in_order(course) if is_due(records.get(name, NOTHING))]


def count_passed(lesson: LessonEntry, records: Records) -> int:
    """Return how many of a lesson's exercises are passed."""
    return sum(records.get(name, NOTHING).passed for name in lesson.exercises)


def current_exercise(course: Course, records: Records) -> str | None:
    """Return the exercise that was worked on last; None where nothing was begun."""
    known = [name for name in course.exercises if name in records]
    return max(known, key=lambda name: records[name].last, default=None)


def next_exercise(course: Course, records: Records) -> str | None:
    """Return the exercise to go on with: the one worked on last, or the next that is not passed."""
    current = current_exercise(course, records)
    if current and (records[current].anew or not records[current].passed):
        return current
    names = [name for _, name in in_order(course)]
    if current:  # go on behind it, and then from the start
        at = names.index(current)
        names = names[at:] + names[:at]
    return next((name for name in names if not records.get(name, NOTHING).passed), None)


def next_step(course: Course, store: Store) -> NextStep:
    """Return the one command to type next in practice."""
    records = store.exercises.all()
    name = next_exercise(course, records)
    if name and records.get(name, NOTHING).begun:
        return NextStep(f"triton-path practice check {name}", "begun")
    if name:
        return NextStep(f"triton-path practice start {name}", "not started")
    due = due_exercises(course, records)
    if due:
        return NextStep(f"triton-path practice reset {due[0]}", AGAIN)
    return NextStep("triton-path", "every exercise is passed")


def exercise_to_start(course: Course, store: Store) -> str:
    """Return the exercise that `start` without a name means. Raises UsageFault where none is."""
    if not course.exercises:
        raise UsageFault("The course has no exercises.", "triton-path course list")
    name = next_exercise(course, store.exercises.all())
    if name is None:
        step = next_step(course, store)
        raise UsageFault("You have passed every exercise.", step.command)
    return name


def record(store: Store, verdict: Verdict) -> Recorded:
    """Keep what a check found."""
    before = store.exercises.of(verdict.exercise)
    store.exercises.keep_check(
        verdict.exercise,
        passed=verdict.passed,
        stars=verdict.stars,
        fault=verdict.faults[0].kind if verdict.faults else "",
    )
    after = store.exercises.of(verdict.exercise)
    return Recorded(
        first_pass=after.passed and not before.passed,
        more_stars=after.stars > before.stars,
        due=after.due,
    )
