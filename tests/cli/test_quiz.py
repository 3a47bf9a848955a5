from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from tests.conftest import RIGHT_ANSWERS, Run, SmallCourse
from triton_path.progress import clock as clock_module
from triton_path.progress.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("in_use")


@pytest.fixture
def answers(tmp_path: Path) -> Path:
    return tmp_path / "answers.json"


def give(answers: Path, **changes: object) -> str:
    given = {**RIGHT_ANSWERS, **{key.replace("_", "-"): value for key, value in changes.items()}}
    answers.write_text(json.dumps(given), encoding="utf-8")
    return str(answers)


def test_all_right_is_exit_code_0(run: Run, answers: Path) -> None:
    finished = run("quiz", "shapes", "--answers", give(answers))
    assert (finished.code, finished.err) == (0, "")
    assert "5 of 5 right" in finished.out


def test_one_wrong_is_exit_code_1_and_explained(run: Run, answers: Path) -> None:
    finished = run("quiz", "shapes", "--answers", give(answers, one_right="thread"))
    assert (finished.code, finished.err) == (1, "")
    assert "4 of 5 right" in finished.out
    assert "A thread is smaller." in finished.out
    assert "It holds many elements." in finished.out
    assert "A whole grid" not in finished.out


def test_an_unexpected_wrong_answer_is_told_the_right_one(run: Run, answers: Path) -> None:
    finished = run("quiz", "shapes", "--answers", give(answers, how_many=7))
    assert finished.code == 1
    assert "1,024 KiB" in finished.out
    assert "32 tiles of 32 KiB." in finished.out


def test_json_is_all_that_stdout_holds(run: Run, answers: Path) -> None:
    finished = run("quiz", "shapes", "--answers", give(answers, what_prints="2 tiles"), "--json")
    assert (finished.code, finished.err) == (1, "")
    report = json.loads(finished.out)
    assert (report["lesson"], report["score"], report["total"]) == ("shapes", 4, 5)
    wrong = [item for item in report["questions"] if not item["correct"]]
    assert wrong == [
        {"id": "what-prints", "chosen": "2 tiles", "correct": False,
         "explanation": "It begins at one. It counts to three."},
    ]  # fmt: skip


def test_notes_stay_off_stdout_under_json(run: Run, answers: Path, home: Path) -> None:
    home.mkdir()
    (home / "progress.db").write_bytes(b"not a database" * 100)
    finished = run("quiz", "shapes", "--answers", give(answers), "--json")
    assert json.loads(finished.out)["score"] == 5
    assert "could not be read" in finished.err


@pytest.mark.parametrize("extra", [(), ("--json",)])
@pytest.mark.parametrize(
    ("changes", "message"),
    [
        ({"one_rigth": "block"}, "There is no question 'one-rigth'. Did you mean 'one-right'?"),
        ({"one_right": "blok"}, "Did you mean 'block'?"),
        ({"two_right": ["element", "lunch"]}, "Did you mean 'launch'?"),
        ({"how_many": "32 MiB"}, "Type the number in KiB."),
        ({"which_line": 3}, "Type the number of a line, 1 to 2."),
    ],
)
def test_an_answer_that_fits_nothing_is_a_usage_error_and_nothing_is_kept(
    run: Run, answers: Path, home: Path, changes: dict[str, object], message: str,
    extra: tuple[str, ...],
) -> None:  # fmt: skip
    finished = run("quiz", "shapes", "--answers", give(answers, **changes), *extra)
    assert (finished.code, finished.out) == (2, "")
    assert message in finished.err
    with open_store(home) as store:
        assert store.is_empty()


def test_a_missing_answers_file_is_a_usage_error(run: Run, tmp_path: Path) -> None:
    finished = run("quiz", "shapes", "--answers", str(tmp_path / "none"))
    assert (finished.code, finished.out) == (2, "")
    assert "There is no file" in finished.err


def test_grading_leaves_the_own_progress_alone(run: Run, answers: Path, home: Path) -> None:
    assert run("quiz", "shapes", "--answers", give(answers)).code == 0
    with open_store(home) as store:
        assert store.is_empty()


def test_answers_kept_on_request_are_those_that_were_given(
    run: Run, answers: Path, home: Path
) -> None:
    answers.write_text('{"one-right": "grid", "how-many": 1024}')
    assert run("quiz", "shapes", "--answers", str(answers), "--keep").code == 1
    with open_store(home) as store:
        assert store.latest_answers("shapes") == {"one-right": False, "how-many": True}


@pytest.mark.parametrize(
    "arguments",
    [("--json",), ("--review", "shapes"), ("--review", "--answers", "x"), ("--review", "--json")],
)
def test_options_that_do_not_go_together(run: Run, arguments: tuple[str, ...]) -> None:
    finished = run("quiz", *arguments)
    assert (finished.code, finished.out) == (2, "")
    assert "Next: triton-path quiz" in finished.err


def test_piped_the_questions_are_printed_with_the_ids_of_an_answers_file(run: Run) -> None:
    finished = run("quiz", "shapes", "--seed", "1")
    assert (finished.code, finished.err) == (0, "")
    for question, answer in RIGHT_ANSWERS.items():
        assert question in finished.out
        if isinstance(answer, list):
            assert all(choice in finished.out for choice in answer)
    assert "Unit: KiB." in finished.out
    assert "print(n, 'tiles')" in finished.out
    assert "2 │ print(n / 0)" in finished.out
    assert "triton-path quiz shapes --answers FILE" in finished.out


def test_piped_nothing_tells_the_right_answer(run: Run) -> None:
    out = run("quiz", "shapes").out
    assert "It holds many elements." not in out
    assert "3 tiles" not in out


def test_a_seed_fixes_the_order_of_choices(run: Run) -> None:
    assert run("quiz", "shapes", "--seed", "5").out == run("quiz", "shapes", "--seed", "5").out
    orders = {run("quiz", "shapes", "--seed", str(seed)).out for seed in range(12)}
    assert len(orders) > 3


def test_lines_of_a_choice_stay_under_its_text(
    run: Run, course: SmallCourse, monkeypatch: pytest.MonkeyPatch
) -> None:
    course.replace(course.QUIZ, "text: One thread,", f"text: {'many words ' * 12},")
    monkeypatch.setenv("COLUMNS", "60")
    lines = run("quiz", "shapes").out.splitlines()
    assert not any(line.startswith(("many", "words")) for line in lines)


def test_a_review_of_nothing_says_what_to_do(run: Run, answers: Path) -> None:
    assert "Next: triton-path quiz" in run("quiz", "--review").out
    run("quiz", "shapes", "--answers", give(answers), "--keep")
    finished = run("quiz", "--review")
    assert finished.code == 0
    assert "Nothing is due. The next review: " in finished.out


def test_a_review_asks_what_is_due(
    run: Run, answers: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answers.write_text('{"one-right": "grid"}')
    run("quiz", "shapes", "--answers", str(answers), "--keep")
    later = datetime.now(timezone.utc) + timedelta(days=400)
    monkeypatch.setattr(clock_module, "now", lambda: later)
    out = run("quiz", "--review").out
    assert "one-right" in out
    assert "how-many" not in out
    assert "triton-path quiz review" not in out
