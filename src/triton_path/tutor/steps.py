"""A lesson as a row of steps, each with an id that stays the same when the lesson grows."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.course.models import Lesson

Kind = Literal["section", "question", "score", "situation", "case", "end"]


@dataclass(frozen=True)
class Step:
    """One stop on the way through a lesson."""

    kind: Kind
    id: str

    @property
    def key(self) -> str:
        """The id that the store keeps."""
        return f"{self.kind}/{self.id}"


def lesson_steps(lesson: Lesson) -> tuple[Step, ...]:
    """Return all steps in order: sections, questions, score, case study, end."""
    return (
        *(Step("section", section.id) for section in lesson.sections),
        *(Step("question", question.id) for question in lesson.questions),
        Step("score", "quiz"),
        Step("situation", "case-study"),
        *(Step("case", question.id) for question in lesson.case_study.questions),
        Step("end", lesson.id),
    )


def position_of(steps: Sequence[Step], key: str) -> int:
    """Return the index of the step with that key; the start where there is none any more."""
    return next((index for index, step in enumerate(steps) if step.key == key), 0)
