from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run, SmallCourse


def test_a_good_course_has_no_faults(run: Run, course: SmallCourse) -> None:
    finished = run("course", "check", str(course.root))
    assert (finished.code, finished.err) == (0, "")
    assert finished.out == f"1 lesson checked in {course.root}: no faults.\n"


def test_without_a_folder_the_course_in_use_is_checked(run: Run, in_use: SmallCourse) -> None:
    assert str(in_use.root) in run("course", "check").out


def test_faults_that_only_the_check_finds_are_listed(run: Run, course: SmallCourse) -> None:
    course.replace(course.LESSON, "│ x │", "─" * 60)
    finished = run("course", "check", str(course.root))
    assert (finished.code, finished.out) == (4, "")
    line = course.line_of(course.LESSON, "## Lanes")
    assert f"\n  {course.LESSON}:{line}: lanes: a line of a picture is 60" in finished.err


def test_the_check_runs_no_code(run: Run, course: SmallCourse, tmp_path: Path) -> None:
    trace = tmp_path / "ran"
    for name in ("tile.py", "count.py", "prints.py", "wrong.py"):
        text = f"# region: shown\nopen({str(trace)!r}, 'w')\n# endregion\n"
        course.write(f"lessons/shapes/{name}", text)
    run("course", "check", str(course.root))
    run("course", "list", str(course.root))
    assert not trace.exists()


@pytest.mark.parametrize("folder", ["none", "file", "x" * 5000, ""])
def test_a_folder_that_is_no_course_is_refused(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, folder: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "file").write_text("x")
    for command in (["check", "--no-run"], ["list"]):
        finished = run("course", *command, folder)
        if folder:
            assert (finished.code, finished.out) == (4, "")
            assert "it has no course.yaml" in finished.err


def test_exercises_are_proved_by_running_them(run: Run, exercises: SmallCourse) -> None:
    """Those of the small course are unsound on purpose: PyTorch does the work of the solution."""
    finished = run("course", "check", str(exercises.root), "--only", "copy-tile")
    assert (finished.code, finished.out) == (4, "")
    where = "exercises/copy-tile/"
    assert f"{where}starter.py:1: should fail with never-written; the check finds" in finished.err
    assert f"{where}solution.py:1: the solution is told: no-kernel" in finished.err
    assert f"{where}wrong/a.py:1: should fail with wrong-values" in finished.err
    assert "fill-tile" not in finished.err


def test_without_running_only_the_files_are_read(run: Run, exercises: SmallCourse) -> None:
    finished = run("course", "check", str(exercises.root), "--no-run")
    assert (finished.code, finished.err) == (0, "")
    assert "3 exercises checked, files alone: no faults." in finished.out


def test_an_exercise_that_is_not_there_is_refused(run: Run, exercises: SmallCourse) -> None:
    finished = run("course", "check", str(exercises.root), "--only", "copy-tiles")
    assert (finished.code, finished.out) == (2, "")
    assert "copy-tile" in finished.err


def test_the_list_shows_what_is_planned(run: Run, course: SmallCourse) -> None:
    lines = run("course", "list", str(course.root)).out.splitlines()
    assert [line.split() for line in lines] == [
        ["1", "First", "stage"],
        ["shapes", "Shapes"],
        ["sizes", "Sizes", "(planned)"],
        ["2", "Second", "stage"],
        ["speeds", "Speeds", "(planned)"],
    ]
