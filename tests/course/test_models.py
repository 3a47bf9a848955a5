from __future__ import annotations

from dataclasses import FrozenInstanceError
from pathlib import Path
from typing import Any

import pytest
from pydantic import TypeAdapter, ValidationError

from triton_path.course.blocks import plain_text
from triton_path.course.files import ReadFile
from triton_path.course.models import Course, FrontMatter, LessonEntry
from triton_path.course.questions import (
    ChoiceQuestion,
    LineQuestion,
    NumberQuestion,
    PredictQuestion,
)


def validate(model: Any, data: object, folder: Path | None = None) -> Any:
    return TypeAdapter(model).validate_python(data, context=folder)


def messages(model: Any, data: object, folder: Path | None = None) -> str:
    with pytest.raises(ValidationError) as caught:
        validate(model, data, folder)
    return "; ".join(error["msg"] for error in caught.value.errors())


def number(**fields: object) -> NumberQuestion:
    base = {"id": "n", "kind": "number", "section": "s", "prompt": "p", "explanation": "e"}
    return validate(NumberQuestion, {**base, **fields})


def choices(kind: str, *right: bool) -> dict[str, object]:
    texts = [{"id": f"c{n}", "text": "t", "correct": r, "why": "w"} for n, r in enumerate(right)]
    return {"id": "q", "kind": kind, "section": "s", "prompt": "p", "choices": texts}


def entry(name: str, **fields: object) -> dict[str, object]:
    return {"id": name, "title": "T", "status": "planned", **fields}


def path_of(*stages: list[dict[str, object]]) -> dict[str, object]:
    parts = [{"id": f"s{n}", "title": "S", "lessons": list(s)} for n, s in enumerate(stages)]
    return {"id": "c", "title": "C", "stages": parts}


@pytest.mark.parametrize("slug", ["a", "a-b", "a1-2b", "x" * 60])
def test_a_slug_is_lower_case_words_with_hyphens(slug: str) -> None:
    assert validate(LessonEntry, entry(slug)).id == slug


@pytest.mark.parametrize(
    "slug", ["", "A", "a_b", "-a", "a-", "a--b", "1a", "ä", "a b", "x" * 61, "a\n"]
)
def test_any_other_id_is_refused(slug: str) -> None:
    assert messages(LessonEntry, entry(slug))


def test_models_are_frozen() -> None:
    made = validate(LessonEntry, entry("a"))
    with pytest.raises(FrozenInstanceError):
        made.id = "b"  # type: ignore[misc]


def test_a_ready_lesson_needs_a_folder() -> None:
    assert "needs a folder" in messages(LessonEntry, entry("a", status="ready"))
    assert "needs a folder" in messages(LessonEntry, entry("a", status="ready", folder=""))


def test_a_lesson_id_stands_once_in_the_whole_course() -> None:
    data = path_of([entry("a")], [entry("b"), entry("a")])
    assert "the id 'a' appears twice" in messages(Course, data)


def test_ready_lessons_are_given_in_order() -> None:
    ready = {"status": "ready", "folder": "f"}
    course = validate(Course, path_of([entry("a"), entry("b", **ready)], [entry("c", **ready)]))
    assert [lesson.id for lesson in course.ready] == ["b", "c"]
    assert [lesson.id for lesson in course.lessons] == ["a", "b", "c"]


def test_a_stage_and_a_course_are_not_empty() -> None:
    assert messages(Course, path_of([]))
    assert messages(Course, path_of())


@pytest.mark.parametrize("minutes", [0, 241, "5 minutes", 1.5, 10**400])
def test_minutes_are_a_whole_number_in_reason(minutes: object) -> None:
    head = {"title": "T", "summary": "S", "outcomes": ["o"], "next_question": "q"}
    assert validate(FrontMatter, {**head, "minutes": 240}).minutes == 240
    assert messages(FrontMatter, {**head, "minutes": minutes})


@pytest.mark.parametrize("value", [None, 5, True, "", "  ", [], "a\n\nb", "- a"])
def test_an_outcome_is_one_line_of_text(value: object) -> None:
    head = {"title": "T", "summary": "S", "minutes": 5, "next_question": "q"}
    assert messages(FrontMatter, {**head, "outcomes": [value]})


@pytest.mark.parametrize("right", [(False, False), (True, True)])
def test_a_single_choice_question_has_one_right_choice(right: tuple[bool, ...]) -> None:
    assert "has one correct choice" in messages(ChoiceQuestion, choices("single", *right))


def test_a_multiple_choice_question_has_a_right_choice() -> None:
    assert "no choice is correct" in messages(ChoiceQuestion, choices("multiple", False, False))
    made = validate(ChoiceQuestion, choices("multiple", True, False, True))
    assert made.right_ids == ("c0", "c2")


def test_a_question_has_two_choices_at_least_and_their_ids_differ() -> None:
    assert messages(ChoiceQuestion, choices("single", True))
    data = choices("single", True, False)
    data["choices"][1]["id"] = "c0"  # type: ignore[index]
    assert "the id 'c0' appears twice" in messages(ChoiceQuestion, data)


def test_without_a_tolerance_a_number_is_exact() -> None:
    question = number(answer=3)
    assert question.accepts(3.0)
    assert not question.accepts(3.001)


@pytest.mark.parametrize(
    ("answer", "tolerance", "edge"),
    [
        (32, 0.5, 32.5),
        (32, 0.5, 31.5),
        (0.3, 0.1, 0.4),
        (0.3, 0.1, 0.2),
        (-1, 0.1, -0.9),
        (0, 1, 1),
    ],
)
def test_a_number_at_the_edge_of_its_tolerance_is_right(
    answer: float, tolerance: float, edge: float
) -> None:
    question = number(answer=answer, tolerance=tolerance)
    assert question.accepts(edge)
    assert not question.accepts(edge + (0.001 if edge > answer else -0.001))


def test_a_relative_tolerance_is_a_share_of_the_answer() -> None:
    question = number(answer=-200, relative=0.05)
    assert question.accepts(-210)
    assert question.accepts(-190)
    assert not question.accepts(-211)
    assert not question.accepts(200)


def test_two_tolerances_are_one_too_many() -> None:
    with pytest.raises(ValidationError, match="not both"):
        number(answer=1, tolerance=1, relative=0.1)


@pytest.mark.parametrize("bad", [float("nan"), float("inf"), "x", [1]])
@pytest.mark.parametrize("field", ["answer", "tolerance"])
def test_a_number_that_nobody_can_give_is_refused(field: str, bad: object) -> None:
    with pytest.raises(ValidationError):
        number(**{"answer": 1, field: bad})


def program(tmp_path: Path, model: Any, text: str, **fields: object) -> Any:
    (tmp_path / "p.py").write_text(text)
    base = {"id": "p", "section": "s", "prompt": "p", "file": "p.py", "explanation": "e"}
    return validate(model, {**base, **fields}, folder=tmp_path)


def test_a_predicted_line_is_compared_without_its_white_space(tmp_path: Path) -> None:
    question = program(tmp_path, PredictQuestion, "x\n", kind="predict", answer="1  2")
    assert question.accepts("  1 2 ")
    assert not question.accepts("12")
    assert not question.accepts("")


def test_a_line_at_fault_exists(tmp_path: Path) -> None:
    assert program(tmp_path, LineQuestion, "a\nb\n", kind="line", answer=2).answer == 2
    with pytest.raises(ValidationError, match=r"p\.py has no line 3"):
        program(tmp_path, LineQuestion, "a\nb\n", kind="line", answer=3)


def test_a_named_miss_of_a_line_question_exists_and_is_not_the_answer(tmp_path: Path) -> None:
    for value in (3, 2):
        misses = [{"value": value, "why": "w"}]
        with pytest.raises(ValidationError):
            program(tmp_path, LineQuestion, "a\nb\n", kind="line", answer=2, misses=misses)


def test_a_number_miss_is_not_right() -> None:
    with pytest.raises(ValidationError, match="right"):
        number(answer=32, tolerance=0.5, misses=[{"value": 32.2, "why": "w"}])


def test_prompts_are_read_as_markdown(lesson: Any) -> None:
    prompt = lesson.questions[0].prompt
    assert plain_text(prompt[0].inline) == "What is a tile?"


@pytest.mark.parametrize(
    ("text", "region", "shown"),
    [
        ("# region: a\nx\n# endregion\n", "a", "x"),
        ("// region: a\n  x\n// endregion\n", "a", "  x"),
        ("# region: a\n\nx\n\ny\n\n# endregion\n", "a", "x\n\ny"),
        ("# region: a\nx\n# endregion\n# region: b\ny\n# endregion\n", "b", "y"),
    ],
)
def test_a_region_is_what_stands_between_its_marks(text: str, region: str, shown: str) -> None:
    assert ReadFile(Path("f.py"), text).region(region) == shown


@pytest.mark.parametrize("text", ["", "x\n", "# region: a\nx\n", "# region: ab\nx\n# endregion\n"])
def test_a_region_that_is_not_whole_is_refused(text: str) -> None:
    with pytest.raises(ValueError, match="has no whole region 'a'"):
        ReadFile(Path("f.py"), text).region("a")
