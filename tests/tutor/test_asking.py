from __future__ import annotations

import json
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from tests.conftest import RIGHT_ANSWERS, SmallCourse
from triton_path.course.blocks import plain_text
from triton_path.course.questions import ChoiceQuestion, Question
from triton_path.errors import UsageFault
from triton_path.tutor.asking import (
    Remark,
    chosen_json,
    explanation_text,
    grade,
    read_answer,
    read_typed,
    shuffled,
)

if TYPE_CHECKING:
    from triton_path.course.models import Lesson


def question(lesson: Lesson, name: str) -> Any:
    return next(item for item in lesson.questions if item.id == name)


def said(remarks: tuple[Remark, ...]) -> list[str]:
    return [plain_text(remark.answer) for remark in remarks]


def refused(asked: Question, value: object) -> str:
    with pytest.raises(UsageFault) as caught:
        read_answer(asked, value)
    return caught.value.message


@pytest.mark.parametrize("name", RIGHT_ANSWERS)
def test_the_right_answer_is_right(lesson: Lesson, name: str) -> None:
    asked = question(lesson, name)
    verdict = grade(asked, read_answer(asked, RIGHT_ANSWERS[name]))
    assert verdict.correct
    assert verdict.about_right == ()
    assert all(remark.correct for remark in verdict.about_chosen)


@pytest.mark.parametrize(
    ("name", "answer"),
    [
        ("one-right", "thread"),
        ("two-right", ["element"]),
        ("two-right", ["element", "mask-bit", "launch"]),
        ("two-right", ["launch"]),
        ("two-right", []),
        ("how-many", 1025),
        ("how-many", 0),
        ("what-prints", "3"),
        ("which-line", 1),
    ],
)
def test_a_wrong_answer_is_wrong(lesson: Lesson, name: str, answer: object) -> None:
    asked = question(lesson, name)
    verdict = grade(asked, read_answer(asked, answer))
    assert not verdict.correct
    assert any(remark.correct for remark in (*verdict.about_right, *verdict.about_chosen))


@pytest.mark.parametrize("name", RIGHT_ANSWERS)
def test_an_answer_left_out_is_wrong_and_the_right_one_is_told(lesson: Lesson, name: str) -> None:
    verdict = grade(question(lesson, name), None)
    assert not verdict.correct
    assert verdict.chosen is None
    assert verdict.about_chosen == ()
    assert verdict.about_right


def test_every_choice_is_spoken_of_exactly_once(lesson: Lesson) -> None:
    for answer in ("block", "thread", None):
        verdict = grade(question(lesson, "one-right"), answer)
        spoken = said((*verdict.about_chosen, *verdict.about_right, *verdict.about_others))
        assert sorted(spoken) == ["A block of data", "A whole grid", "One thread"]


def test_a_wrong_choice_and_the_right_one_are_told_apart(lesson: Lesson) -> None:
    verdict = grade(question(lesson, "one-right"), "thread")
    assert said(verdict.about_chosen) == ["One thread"]
    assert said(verdict.about_right) == ["A block of data"]
    assert said(verdict.about_others) == ["A whole grid"]
    assert explanation_text(verdict) == "A thread is smaller. It holds many elements."


def test_a_known_wrong_number_is_explained(lesson: Lesson) -> None:
    verdict = grade(question(lesson, "how-many"), 32.0)
    assert said(verdict.about_chosen) == ["32 KiB"]
    assert explanation_text(verdict) == "That is one tile. 32 tiles of 32 KiB."


def test_a_known_wrong_output_and_line_are_explained(lesson: Lesson) -> None:
    prints = grade(question(lesson, "what-prints"), " 2  tiles ")
    line = grade(question(lesson, "which-line"), 1)
    assert explanation_text(prints) == "It begins at one. It counts to three."
    assert explanation_text(line) == "That line is right. It divides by nought."
    assert said(line.about_right) == ["line 2"]


@pytest.mark.parametrize(
    ("answer", "shown"),
    [
        ("1024", "1,024 KiB"),
        ("16777216", "16,777,216 KiB"),
        ("1234567.25", "1,234,567.25 KiB"),
        ("0.5", "0.5 KiB"),
        ("-3", "-3 KiB"),
    ],
)
def test_a_number_is_shown_whole(course: SmallCourse, answer: str, shown: str) -> None:
    course.replace(course.QUIZ, "answer: 1024", f"answer: {answer}")
    verdict = grade(question(course.lesson(), "how-many"), None)
    assert said(verdict.about_right) == [shown]


@pytest.mark.parametrize(
    ("typed", "number"),
    [
        ("1024", 1024), ("1,024", 1024), ("1_024", 1024), (" 1024 ", 1024), ("+7", 7), ("-7", -7),
        ("1e3", 1000), ("1E3", 1000), ("2.5e-1", 0.25), (".5", 0.5), ("-.5", -0.5), ("+.5", 0.5),
        (".5e1", 5), ("5.", 5), ("0", 0), ("007", 7), ("32 KiB", 32), ("32KiB", 32),
        ("1e3 KiB", 1000),
    ],
)  # fmt: skip
def test_a_typed_number_is_read(lesson: Lesson, typed: str, number: float) -> None:
    assert read_typed(question(lesson, "how-many"), typed) == number


@pytest.mark.parametrize(
    "typed",
    ["", " ", "abc", "nan", "inf", "-inf", "1e", "1e999", "-1e999", "9" * 400, "--1", "1.2.3", ".",
     "1 2", "32 MiB", "32 apples", "٣", "３２", "0x10", "1/2", "1,2,", ",5", "½", "1\x1b[31m"],
)  # fmt: skip
def test_what_is_no_number_is_asked_for_again(lesson: Lesson, typed: str) -> None:
    with pytest.raises(UsageFault, match="Type"):
        read_typed(question(lesson, "how-many"), typed)


def test_a_unit_where_none_is_asked_for_is_refused(course: SmallCourse) -> None:
    course.replace(course.QUIZ, "    unit: KiB\n", "")
    with pytest.raises(UsageFault, match="without a unit"):
        read_typed(question(course.lesson(), "how-many"), "32 KiB")


@pytest.mark.parametrize("typed", ["", "0", "3", "-1", "1.5", "2 lines", "two", "1e9", "1e999"])
def test_a_line_number_is_a_line_of_the_program(lesson: Lesson, typed: str) -> None:
    with pytest.raises(UsageFault, match="Type"):
        read_typed(question(lesson, "which-line"), typed)


def test_a_typed_line_number_is_a_whole_number(lesson: Lesson) -> None:
    answer = read_typed(question(lesson, "which-line"), " 2 ")
    assert answer == 2
    assert isinstance(answer, int)


def test_an_empty_prediction_is_asked_for_again(lesson: Lesson) -> None:
    with pytest.raises(UsageFault, match="Type the line"):
        read_typed(question(lesson, "what-prints"), "   ")


@given(st.text())
@example("1" * 5000)
@example("1_")
@example("1e" + "9" * 500)
def test_anything_typed_is_an_answer_that_json_can_keep_or_is_refused(text: str) -> None:
    for asked in typed_questions():
        try:
            answer = read_typed(asked, text)
        except UsageFault:
            continue
        json.loads(json.dumps(chosen_json(answer), allow_nan=False))
        grade(asked, answer)


def typed_questions() -> list[Question]:
    if not KEPT:
        import tempfile
        from pathlib import Path

        from tests.conftest import build_course

        with tempfile.TemporaryDirectory() as folder:
            KEPT.extend(build_course(Path(folder)).lesson().questions[2:])
    return KEPT


KEPT: list[Question] = []


@pytest.mark.parametrize(
    ("name", "value"),
    [
        ("how-many", True), ("how-many", None), ("how-many", [1024]), ("how-many", {"a": 1}),
        ("how-many", float("nan")), ("how-many", float("inf")), ("what-prints", None),
        ("what-prints", ["3 tiles"]), ("what-prints", False), ("which-line", 2.5),
        ("one-right", None), ("one-right", 1), ("one-right", ["block", "grid"]), ("one-right", []),
        ("one-right", {}), ("one-right", True), ("two-right", [["element"]]), ("two-right", "all"),
        ("two-right", ["element", 1]), ("two-right", {"element": True}), ("two-right", None),
    ],
)  # fmt: skip
def test_an_answer_of_the_wrong_kind_is_refused_by_the_question_it_was_for(
    lesson: Lesson, name: str, value: object
) -> None:
    assert f"'{name}'" in refused(question(lesson, name), value)


def test_a_number_too_long_to_be_written_is_refused(lesson: Lesson) -> None:
    assert "'how-many'" in refused(question(lesson, "how-many"), 1 << 20_000)


def test_an_unknown_choice_offers_the_nearest_and_lists_all(lesson: Lesson) -> None:
    with pytest.raises(UsageFault) as caught:
        read_answer(question(lesson, "one-right"), "blok")
    assert caught.value.message == (
        "There is no choice of 'one-right' 'blok'. Did you mean 'block'?"
    )
    assert caught.value.hint == "its choices are: block, thread, grid"


@pytest.mark.parametrize(
    ("name", "value", "answer"),
    [
        ("one-right", ["block"], "block"),
        ("two-right", "element", ("element",)),
        ("how-many", "1,024 KiB", 1024),
        ("how-many", 1e3, 1000),
        ("what-prints", 8, "8"),
        ("what-prints", 8.0, "8.0"),
        ("which-line", "2", 2),
    ],
)
def test_other_ways_to_write_an_answer_are_taken(
    lesson: Lesson, name: str, value: object, answer: object
) -> None:
    assert read_answer(question(lesson, name), value) == answer


def test_the_order_of_choices_does_not_matter(lesson: Lesson) -> None:
    asked = question(lesson, "two-right")
    assert grade(asked, ("mask-bit", "element", "element")).correct


def test_a_seed_fixes_the_order_and_loses_no_choice(lesson: Lesson) -> None:
    asked = question(lesson, "one-right")
    assert shuffled(asked, 7) == shuffled(asked, 7)
    orders = {tuple(choice.id for choice in shuffled(asked, seed)) for seed in range(100)}
    assert len(orders) == 6
    assert all(sorted(order) == ["block", "grid", "thread"] for order in orders)


def test_questions_of_one_quiz_are_shuffled_apart(lesson: Lesson) -> None:
    one, two = (item for item in lesson.questions if isinstance(item, ChoiceQuestion))
    places = [
        (shuffled(one, seed).index(one.choices[0]), shuffled(two, seed).index(two.choices[0]))
        for seed in range(60)
    ]
    assert len(set(places)) == 9
