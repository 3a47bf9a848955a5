from __future__ import annotations

import io
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest
import yaml
from hypothesis import example, given
from hypothesis import strategies as st

from tests.conftest import RIGHT_ANSWERS
from triton_path.errors import UsageFault
from triton_path.tutor.answers import grade_file, report_json
from triton_path.tutor.reviews import lesson_questions

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.models import Lesson
    from triton_path.tutor.asking import Verdict


@pytest.fixture
def file(tmp_path: Path) -> Path:
    return tmp_path / "answers"


def grade_text(file: Path, lesson: Lesson, text: str | bytes) -> tuple[Verdict, ...]:
    file.write_bytes(text.encode() if isinstance(text, str) else text)
    return grade_file(str(file), lesson_questions(lesson))


def refused(file: Path, lesson: Lesson, text: str | bytes) -> str:
    with pytest.raises(UsageFault) as caught:
        grade_text(file, lesson, text)
    return caught.value.message


WRITTEN = [
    json.dumps(RIGHT_ANSWERS),
    json.dumps(RIGHT_ANSWERS, indent="\t"),
    "\n  " + json.dumps(RIGHT_ANSWERS),
    yaml.safe_dump(RIGHT_ANSWERS),
    "---\n" + yaml.safe_dump(RIGHT_ANSWERS),
    "# by hand\n{one-right: block, two-right: [element, mask-bit], how-many: 1024,\n"
    " what-prints: 3 tiles, which-line: 2}\n",
    "{one-right: block, two-right: [element, mask-bit], how-many: 1024,\n"
    " what-prints: 3 tiles, which-line: 2}\n",
]


@pytest.mark.parametrize("text", WRITTEN)
def test_json_and_yaml_are_read(file: Path, lesson: Lesson, text: str) -> None:
    verdicts = grade_text(file, lesson, text)
    assert [verdict.correct for verdict in verdicts] == [True] * 5


def test_a_dash_is_stdin(lesson: Lesson, monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO(json.dumps(RIGHT_ANSWERS).encode())
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=data))
    assert all(verdict.correct for verdict in grade_file("-", lesson_questions(lesson)))


def test_verdicts_come_in_the_order_of_the_quiz(file: Path, lesson: Lesson) -> None:
    backwards = dict(reversed(RIGHT_ANSWERS.items()))
    verdicts = grade_text(file, lesson, json.dumps(backwards))
    assert [verdict.question.id for verdict in verdicts] == list(RIGHT_ANSWERS)


def test_a_question_left_out_is_wrong(file: Path, lesson: Lesson) -> None:
    verdicts = grade_text(file, lesson, '{"one-right": "block"}')
    assert [verdict.correct for verdict in verdicts] == [True, False, False, False, False]
    assert [verdict.chosen for verdict in verdicts] == ["block", None, None, None, None]


def test_an_empty_mapping_is_all_wrong(file: Path, lesson: Lesson) -> None:
    assert not any(verdict.correct for verdict in grade_text(file, lesson, "{}"))


def test_an_unknown_question_is_a_usage_fault_with_the_nearest(file: Path, lesson: Lesson) -> None:
    message = refused(file, lesson, "one-rigth: block\n")
    assert message == "There is no question 'one-rigth'. Did you mean 'one-right'?"


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("", "must hold a mapping"),
        ("[]", "must hold a mapping"),
        ("block", "must hold a mapping"),
        ("null", "must hold a mapping"),
        ("one-right: block\none-right: grid\n", "line 2: appears twice"),
        ('{"one-right": "grid", "one-right": "block"}', "appears twice"),
        ("one-right: [block\n", "is not valid YAML"),
        ('{"one-right": "block"', "is not valid"),
        ('{"one-right": "block"} x', "is not valid"),
        ("1: block\n", "a key must be text"),
        ("one-right: &a block\ntwo-right: [*a]\n", "an alias is not allowed"),
        (b"one-right: \xff\n", "is not UTF-8"),
        ("one-right: \x1b[31m\n", "holds the control character U+001B"),
        ('{"how-many": ' + "9" * 5000 + "}", "line 1: "),
        ('{"how-many": ' + "[" * 100_000, "line 1: "),
        ("x" * ((1 << 20) + 1), "is larger than 1 MiB"),
    ],
)
def test_a_file_that_cannot_be_used_says_why(
    file: Path, lesson: Lesson, text: str | bytes, message: str
) -> None:
    assert message in refused(file, lesson, text)


def test_a_missing_file_says_so(lesson: Lesson, tmp_path: Path) -> None:
    with pytest.raises(UsageFault, match="There is no file"):
        grade_file(str(tmp_path / "none"), lesson_questions(lesson))


def test_the_report_has_exactly_the_promised_fields(file: Path, lesson: Lesson) -> None:
    answers = {**RIGHT_ANSWERS, "one-right": "thread"}
    del answers["which-line"]
    report = json.loads(report_json("shapes", grade_text(file, lesson, json.dumps(answers))))
    assert list(report) == ["lesson", "score", "total", "questions"]
    assert (report["lesson"], report["score"], report["total"]) == ("shapes", 3, 5)
    assert all(
        list(item) == ["id", "chosen", "correct", "explanation"] for item in report["questions"]
    )
    assert [(item["id"], item["chosen"], item["correct"]) for item in report["questions"]] == [
        ("one-right", "thread", False),
        ("two-right", ["mask-bit", "element"], True),
        ("how-many", 1024, True),
        ("what-prints", "3 tiles", True),
        ("which-line", None, False),
    ]
    assert report["questions"][0]["explanation"] == "A thread is smaller. It holds many elements."


def test_every_question_is_explained_in_the_report(file: Path, lesson: Lesson) -> None:
    for answers in ({}, RIGHT_ANSWERS):
        report = json.loads(report_json("shapes", grade_text(file, lesson, json.dumps(answers))))
        assert all(item["explanation"] for item in report["questions"])


JSON = st.recursive(
    st.none() | st.booleans() | st.integers() | st.floats() | st.text(),
    lambda inner: st.lists(inner, max_size=3) | st.dictionaries(st.text(), inner, max_size=3),
    max_leaves=6,
)


@given(st.dictionaries(st.sampled_from(list(RIGHT_ANSWERS)), JSON))
@example({"how-many": 1e999})
@example({"what-prints": "\ud800"})
def test_any_answers_are_graded_to_strict_json_or_refused(
    tmp_path_factory: pytest.TempPathFactory, lesson: Lesson, answers: dict[str, object]
) -> None:
    file = tmp_path_factory.getbasetemp() / "any-answers.json"
    try:
        verdicts = grade_text(file, lesson, json.dumps(answers))
    except UsageFault:
        return

    def refuse(constant: str) -> None:
        raise AssertionError(f"{constant} is no JSON")

    report = json.loads(report_json("shapes", verdicts), parse_constant=refuse)
    assert report["total"] == 5
