from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.tutor.steps import lesson_steps, position_of

if TYPE_CHECKING:
    from triton_path.course.models import Lesson


def test_a_lesson_goes_from_sections_to_questions_to_the_case_study(lesson: Lesson) -> None:
    assert [step.key for step in lesson_steps(lesson)] == [
        "section/tiles",
        "section/lanes",
        "question/one-right",
        "question/two-right",
        "question/how-many",
        "question/what-prints",
        "question/which-line",
        "score/quiz",
        "situation/case-study",
        "case/why-slow",
        "end/shapes",
    ]


def test_keys_are_unique_and_find_their_step(lesson: Lesson) -> None:
    steps = lesson_steps(lesson)
    assert [position_of(steps, step.key) for step in steps] == list(range(len(steps)))


def test_a_step_that_is_gone_leads_to_the_start(lesson: Lesson) -> None:
    assert position_of(lesson_steps(lesson), "section/dropped") == 0
