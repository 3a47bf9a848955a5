from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests import verdicts
from triton_path.course.load_exercise import load_exercise
from triton_path.course.loader import load_course
from triton_path.jobs.practice import Diagnosis
from triton_path.progress.store import Store, open_store
from triton_path.tutor.beginning import begin
from triton_path.tutor.practice_after import NOT_OWN, farewell, following, keep, source_lines
from triton_path.tutor.workspace import own_path, remember, workspace

if TYPE_CHECKING:
    from collections.abc import Iterator

    from tests.conftest import SmallCourse
    from triton_path.course.models import Course


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(home) as opened:
        yield opened


@pytest.fixture
def model(exercises: SmallCourse) -> Course:
    return load_course(exercises.root)


def give_pass(store: Store, *names: str) -> None:
    for name in names:
        store.exercises.keep_check(name, passed=True, stars=1, fault="")


def test_the_next_one_is_the_next_that_is_not_passed_around_the_end(
    model: Course, store: Store
) -> None:
    assert following(model, store, "copy-tile") == "fill-tile"
    assert following(model, store, "grow-tile") == "copy-tile"
    give_pass(store, "fill-tile")
    assert following(model, store, "copy-tile") == "grow-tile"
    give_pass(store, "grow-tile")
    assert following(model, store, "copy-tile") is None
    give_pass(store, "copy-tile")
    assert following(model, store, "copy-tile") is None


def test_a_file_of_somebody_elses_leaves_progress_alone(
    model: Course, store: Store, exercises: SmallCourse
) -> None:
    exercise = load_exercise(exercises.root, "copy-tile")
    theirs = verdicts.passed(exercise="copy-tile", file="/handed-in/copy_tile.py")
    assert keep(model, store, exercise, theirs).remark == NOT_OWN
    assert store.exercises.all() == {}


def test_what_is_said_after_a_check(model: Course, store: Store, exercises: SmallCourse) -> None:
    exercise = load_exercise(exercises.root, "copy-tile")
    own = str(own_path(workspace(store), "copy-tile"))
    after = keep(model, store, exercise, verdicts.failed(exercise="copy-tile", file=own))
    assert (after.remark, after.learned) == ("", ())
    assert [step.command for step in after.steps] == [
        "triton-path practice check copy-tile", "triton-path practice hint copy-tile",
    ]  # fmt: skip
    drawn = verdicts.failed(verdicts.wrong_values(), exercise="copy-tile", seed=99, file=own)
    assert keep(model, store, exercise, drawn).steps[0].command.endswith("copy-tile --seed 99")
    after = keep(model, store, exercise, verdicts.passed(exercise="copy-tile", file=own))
    assert "comes back to be written once more on" in after.remark
    assert after.learned == exercise.about.learned
    assert after.steps[0].command == "triton-path practice start fill-tile"
    more = verdicts.passed(exercise="copy-tile", stars=3, file=own)
    assert keep(model, store, exercise, more).remark == "More stars than ever before."
    assert keep(model, store, exercise, more).remark == ""


def test_what_to_read_again_is_in_a_lesson_that_is_written(
    model: Course, store: Store, exercises: SmallCourse
) -> None:
    exercise = load_exercise(exercises.root, "copy-tile")

    def read(text: str, file: Path) -> str:
        diagnosis = Diagnosis(name="a mistake", read=text, file="no_mask.py")
        finding = verdicts.out_of_bounds(diagnosis=diagnosis)
        verdict = verdicts.failed(finding, exercise="copy-tile", file=str(file))
        return keep(model, store, exercise, verdict).read

    for file in (own_path(workspace(store), "copy-tile"), Path("/handed-in/copy_tile.py")):
        assert read("shapes: two shapes", file) == "shapes: two shapes"
        assert read("sizes: the second", file) == ""
        assert read("a book", file) == "a book"


def test_a_starter_as_it_was_given_is_sent_to_what_it_asks_for(
    model: Course, store: Store, exercises: SmallCourse, tmp_path: Path
) -> None:
    exercise = load_exercise(exercises.root, "copy-tile")
    remember(store, tmp_path)
    begun = begin(store, exercise).path
    verdict = verdicts.failed(exercise="copy-tile", file=str(begun))
    first, second, _ = keep(model, store, exercise, verdict).steps
    assert first.about == "once you have changed it"
    assert second.command == "triton-path practice show copy-tile"


def test_a_farewell_says_how_to_go_on(model: Course, store: Store) -> None:
    assert farewell(model, store, "copy-tile").endswith("triton-path practice watch copy-tile")
    give_pass(store, "copy-tile")
    assert farewell(model, store, "copy-tile").startswith("copy-tile is passed.\n  Next: ")


def test_the_lines_of_files_that_are_gone_are_left_out(tmp_path: Path) -> None:
    file = tmp_path / "kernel.py"
    here = verdicts.place().model_copy(update={"file": str(file)})
    verdict = verdicts.failed(verdicts.out_of_bounds(place=here), verdicts.out_of_bounds())
    assert source_lines(verdict) == {}
    file.write_text("one\ntwo\n")
    assert source_lines(verdict) == {str(file): ("one", "two")}
    file.write_bytes(b"\xff")
    assert source_lines(verdict) == {}
