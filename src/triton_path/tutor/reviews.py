"""Which questions to ask (a lesson's own, or those due for review), and keeping the answers."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.course.loader import load_lesson
from triton_path.tutor.asking import chosen_json

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.models import Course, Lesson, Section
    from triton_path.course.questions import Question
    from triton_path.progress.store import Store
    from triton_path.tutor.asking import Verdict


@dataclass(frozen=True)
class Asked:
    """A question to ask, and where it belongs."""

    lesson_id: str
    question: Question
    section: Section
    """The section to read again."""

    @property
    def key(self) -> str:
        """An id that is unique in the course."""
        return f"{self.lesson_id}/{self.question.id}"


def lesson_questions(lesson: Lesson) -> tuple[Asked, ...]:
    """Return all questions of a lesson in order."""
    return tuple(
        Asked(lesson.id, question, lesson.section(question.section))
        for question in lesson.questions
    )


def due_questions(root: Path, course: Course, store: Store) -> tuple[Asked, ...]:
    """Return the questions due for review, the longest due first.

    A question that a newer course dropped is passed over; its history stays in the store.
    """
    due = store.due()
    wanted = {item.lesson for item in due}
    known = {
        (asked.lesson_id, asked.question.id): asked
        for entry in course.ready
        if entry.id in wanted
        for asked in lesson_questions(load_lesson(root, entry))
    }
    keys = [(item.lesson, item.question) for item in due]
    return tuple(known[key] for key in keys if key in known)


def count_right(lesson: Lesson, store: Store) -> int:
    """Return how many of the lesson's questions were answered right the last time."""
    answers = store.latest_answers(lesson.id)
    return sum(answers.get(question.id, False) for question in lesson.questions)


def keep_answer(store: Store, lesson_id: str, verdict: Verdict) -> None:
    """Keep a graded answer and set the question's next review; a question left out is not kept."""
    if verdict.chosen is not None:
        store.record_answer(
            lesson_id,
            verdict.question.id,
            chosen_json(verdict.chosen),
            correct=verdict.correct,
        )
