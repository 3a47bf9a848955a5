from __future__ import annotations

import json
import os
import shutil
import subprocess
import sys
from typing import TYPE_CHECKING

import pytest

from tests.conftest import run_python
from triton_path.errors import ExitCode
from triton_path.progress.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run, SmallCourse
    from triton_path.progress.exercises import ExerciseRecord

pytestmark = pytest.mark.usefixtures("exercises")

FILE = "triton-path-exercises/copy_tile.py"


@pytest.fixture(autouse=True)
def here(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    folder = tmp_path / "here"
    folder.mkdir()
    monkeypatch.chdir(folder)
    return folder


def record(home: Path, name: str = "copy-tile") -> ExerciseRecord:
    with open_store(home) as store:
        return store.exercises.of(name)


def give_pass(home: Path, name: str = "copy-tile") -> None:
    with open_store(home) as store:
        store.exercises.keep_check(name, passed=True, stars=1, fault="")


COMMANDS = ["list", "start", "show", "check", "watch", "hint", "solution", "reset"]


@pytest.mark.parametrize("command", [[], *([name] for name in COMMANDS)], ids=" ".join)
def test_every_command_has_help_with_an_example(run: Run, command: list[str]) -> None:
    finished = run("practice", *command, "--help")
    assert (finished.code, finished.err) == (0, "")
    assert "Example: triton-path practice" in finished.out


def test_practice_alone_is_the_list(run: Run) -> None:
    assert run("practice").out == run("practice", "list").out


def test_the_list_shows_lessons_states_and_the_next_command(run: Run, home: Path) -> None:
    give_pass(home)
    with open_store(home) as store:
        store.exercises.begin("grow-tile")
    lines = [line.split() for line in run("practice").out.splitlines()]
    assert ["practice", "1", "of", "3", "passed"] in lines
    assert ["Shapes", "1/2"] in lines
    assert ["✓", "copy-tile", "Copy", "a", "tile", "★☆☆"] in lines
    assert ["·", "fill-tile", "Fill", "a", "tile"] in lines
    assert ["▸", "grow-tile", "Hunt:", "Grow", "a", "tile", "started"] in lines
    assert lines.index(["Sizes", "0/1"]) > next(
        number for number, line in enumerate(lines) if "Ahead" in line
    )
    assert lines[-1][:5] == ["Next:", "triton-path", "practice", "check", "grow-tile"]


def test_the_list_is_searched_and_filtered(run: Run) -> None:
    out = run("practice", "list", "grow").out
    assert "grow-tile" in out
    assert "copy-tile" not in out.rsplit("Next:", 1)[0]
    assert "You have passed no exercise yet." in run("practice", "list", "--state", "passed").out
    assert "comes back some days later" in run("practice", "list", "--state", "due").out
    assert "No exercise is like that" in run("practice", "list", "--state", "due", "tile").out
    finished = run("practice", "list", "--state", "lost")
    assert finished.code == ExitCode.USAGE
    assert "'new', 'started', 'passed', 'due'" in finished.err
    assert "Did you mean 'shapes'" in run("practice", "list", "--lesson", "shap").err


def test_the_list_as_json_is_json_alone(run: Run) -> None:
    finished = run("practice", "list", "--json", "grow")
    assert finished.err == ""
    (exercise,) = json.loads(finished.out)["exercises"]
    assert exercise["id"] == "grow-tile"


def test_start_puts_the_next_exercise_here_and_prints_it(run: Run, here: Path, home: Path) -> None:
    finished = run("practice", "start")
    assert (finished.code, finished.err) == (0, "")
    assert (here / FILE).is_file()
    assert f"Put into {FILE}\n" in finished.out
    assert "      pass  # your kernel\n" in finished.out
    assert "Next: triton-path practice check copy-tile" in finished.out
    assert record(home).begun


def test_start_leaves_what_is_there_and_says_so(run: Run, here: Path) -> None:
    run("practice", "start", "copy-tile")
    (here / FILE).write_text("mine")
    out = run("practice", "start", "copy_tile").out
    assert f"Already there, and left as it is: {FILE}\n" in out
    assert (here / FILE).read_text() == "mine"


def test_start_in_a_folder_of_ones_own(run: Run, here: Path, tmp_path: Path) -> None:
    run("practice", "start", "copy-tile")
    out = run("practice", "start", "fill-tile", "--dir", str(tmp_path / "own")).out
    assert (tmp_path / "own/fill_tile.py").is_file()
    assert "What you began before is still in triton-path-exercises\n" in out
    assert json.loads(run("practice", "list", "--json").out)["workspace"] == str(tmp_path / "own")


def test_show_prints_the_specification(run: Run, home: Path) -> None:
    out = run("practice", "show", "grow-tile").out
    assert "  Not allowed\n" in out
    assert "sizes, not written yet" in out
    assert "Next: triton-path practice start grow-tile" in out
    assert not record(home, "grow-tile").begun
    assert "copy-tile: copy a tile." in run("practice", "show").out


def test_hints_come_one_by_one_and_then_all_again(run: Run, home: Path) -> None:
    firsts = [run("practice", "hint", "copy-tile").out for _ in range(3)]
    for number, (out, text) in enumerate(
        zip(firsts, ["Which elements", "A block of BLOCK", "i = tl.arange"], strict=True), start=1
    ):
        assert f"Hint {number} of 3" in out
        assert text in out
        assert out.count("Hint ") == 1
    assert "2 hints left" in firsts[0]
    assert "1 hint left" in firsts[1]
    assert "practice solution copy-tile --anyway" in firsts[2]
    assert "you will be asked to write it again sooner" in " ".join(firsts[2].split())
    again = run("practice", "hint").out
    assert again.count("Hint ") == 3
    assert "These are all the hints." in again
    assert record(home).hints == 3


def test_seen_hints_are_shown_without_one_more(run: Run, home: Path) -> None:
    assert "You have seen no hint yet." in run("practice", "hint", "copy-tile", "--seen").out
    run("practice", "hint", "copy-tile")
    assert "Hint 1 of 3" in run("practice", "hint", "--seen").out
    assert record(home).hints == 1


def test_the_solution_waits_for_a_pass(run: Run, here: Path, home: Path) -> None:
    run("practice", "start", "copy-tile")
    finished = run("practice", "solution")
    assert (finished.code, finished.out) == (ExitCode.USAGE, "")
    assert "triton-path practice solution copy-tile --anyway" in finished.err
    assert "Next: triton-path practice hint copy-tile" in finished.err
    assert not record(home).solution_early
    give_pass(home)
    out = run("practice", "solution").out
    assert f"  Yours: {FILE}\n" in out
    assert "pass  # your kernel" in out
    assert "out[:] = x" in out
    assert "Every lane copies one element." in out
    assert "Not allowed" not in out
    assert not record(home).solution_early


def test_a_solution_seen_early_is_recorded(run: Run, home: Path) -> None:
    assert run("practice", "solution", "copy-tile", "--anyway").code == 0
    assert record(home).solution_early


def test_a_file_that_is_no_python_is_shown_whole_beside_the_solution(
    run: Run, here: Path, home: Path
) -> None:
    run("practice", "start", "copy-tile")
    (here / FILE).write_text("def copy(:\n")
    assert "def copy(:" in run("practice", "solution", "--anyway").out


def test_reset_keeps_what_was_written(run: Run, here: Path, home: Path) -> None:
    run("practice", "start", "copy-tile")
    run("practice", "hint")
    (here / FILE).write_text("mine")
    out = run("practice", "reset", "copy-tile").out
    (backup,) = (here / "triton-path-exercises/backups").iterdir()
    assert backup.read_text() == "mine"
    assert f"Yours is kept in triton-path-exercises/backups/{backup.name}\n" in out
    assert "pass  # your kernel" in (here / FILE).read_text()
    assert record(home).hints == 0


def test_reset_needs_a_name(run: Run) -> None:
    finished = run("practice", "reset")
    assert finished.code == ExitCode.USAGE
    assert "Missing argument" in finished.err


@pytest.mark.parametrize("command", ["start", "show", "hint", "solution", "reset"])
def test_an_unknown_exercise_gets_the_nearest(run: Run, command: str) -> None:
    finished = run("practice", command, "coppy-tile")
    assert (finished.code, finished.out) == (ExitCode.USAGE, "")
    assert "There is no exercise 'coppy-tile'. Did you mean 'copy-tile'?" in finished.err
    assert "Next: triton-path practice list" in finished.err


@pytest.mark.parametrize("command", ["hint", "solution"])
def test_without_an_exercise_begun_start_is_next(run: Run, command: str) -> None:
    finished = run("practice", command)
    assert finished.code == ExitCode.USAGE
    assert "Next: triton-path practice start\n" in finished.err


def test_a_broken_exercise_is_listed_with_its_line(run: Run, exercises: SmallCourse) -> None:
    exercises.replace("exercises/copy-tile/exercise.yaml", "kind: kernel", "kind: kernal")
    for arguments in (("list",), ("start", "copy-tile"), ("hint", "copy-tile")):
        finished = run("practice", *arguments)
        assert (finished.code, finished.out) == (ExitCode.BROKEN_COURSE, "")
        assert "exercises/copy-tile/exercise.yaml:2: kind:" in finished.err
    assert run("practice", "show", "fill-tile").code == 0
    assert run().code == 0


def test_progress_mentions_practice(run: Run, home: Path) -> None:
    assert "Nothing done yet" in run("progress").out
    with open_store(home) as store:
        store.exercises.keep_check("grow-tile", passed=True, stars=1, fault="")
    out = run("progress").out
    assert ["sizes", "1/1", "planned"] in [line.split() for line in out.splitlines()]
    assert "0 exercises to write once more" in out
    assert "practice 0/2" in run().out
    assert "Write: triton-path practice" in run().out


def test_a_reset_of_progress_does_not_forget_the_folder(run: Run, here: Path) -> None:
    run("practice", "start", "copy-tile", "--dir", "own")
    run("progress", "reset", "--yes")
    listing = json.loads(run("practice", "list", "--json").out)
    assert listing["workspace"] == str(here / "own")
    assert listing["exercises"][0]["state"] == "new"
    assert run("progress").out.startswith("Nothing done yet.")


@pytest.mark.parametrize("width", [80, 60, 40])
def test_the_width_of_the_window_is_obeyed(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch, width: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(width))
    give_pass(home, "fill-tile")
    for arguments in (
        ("list",), ("show", "copy-tile"), ("start", "copy-tile"), ("solution", "fill-tile"),
    ):  # fmt: skip
        out = run("practice", *arguments).out
        commands = [line for line in out.splitlines() if "triton-path practice" in line]
        assert commands
        assert max(len(line) for line in out.splitlines() if line not in commands) <= width
        assert not any(line != line.rstrip() for line in out.splitlines())


def test_the_list_imports_nothing_that_is_slow(exercises: SmallCourse, home: Path) -> None:
    give_pass(home)
    arguments = ("-X", "importtime", "-m", "triton_path", "practice", "list")
    assert run_python(*arguments).returncode == 0
    finished = run_python(*arguments)
    names = {line.split("|")[-1].strip().split(".")[0] for line in finished.stderr.splitlines()}
    assert "rich" in names
    assert names.isdisjoint({"torch", "triton", "numpy", "pydantic", "watchfiles", "yaml", "fsrs"})


def test_output_that_is_no_utf8_gets_ascii(home: Path) -> None:
    give_pass(home)
    finished = run_python("-m", "triton_path", "practice", "list", PYTHONIOENCODING="ascii")
    assert finished.returncode == 0
    assert finished.stdout.isascii()
    assert "?" not in finished.stdout


@pytest.mark.skipif(shutil.which("bash") is None, reason="needs bash and its pipefail")
@pytest.mark.parametrize("command", ["list", "show copy-tile", "start copy-tile"])
def test_a_closed_pipe_ends_quietly(command: str) -> None:
    script = f'set -o pipefail; "$PYTHON" -m triton_path practice {command} | true'
    finished = subprocess.run(
        ["bash", "-c", script],
        env={**os.environ, "PYTHON": sys.executable},
        stdin=subprocess.DEVNULL,
        capture_output=True,
        text=True,
        check=False,
    )
    assert (finished.returncode, finished.stderr) == (0, "")
