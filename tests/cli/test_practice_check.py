"""`practice check` with a checker that needs no torch; one test runs the real one."""

from __future__ import annotations

import json
import shutil
import sqlite3
from contextlib import closing
from typing import TYPE_CHECKING, Any

import pytest

from tests import verdicts
from tests.conftest import REPOSITORY
from triton_path.errors import ExitCode, MissingFault
from triton_path.jobs.practice import Verdict
from triton_path.progress import file as file_module
from triton_path.progress.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run, SmallCourse

FILE = "triton-path-exercises/copy_tile.py"


class KnownChecker:
    """Passes what says so; remembers the seeds that it was given."""

    seeds: list[int | None] = []  # noqa: RUF012 -- each test clears it
    lock: sqlite3.Connection | None = None
    """Where there is one, another copy of the program begins to write during the check."""

    def __enter__(self) -> KnownChecker:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def check(self, exercise: Any, path: Path, *, seed: int | None = None, **_: Any) -> Verdict:
        self.seeds.append(seed)
        if self.lock is not None and not self.lock.in_transaction:
            self.lock.execute("BEGIN EXCLUSIVE")
        text = path.read_text()
        if "no torch" in text:
            raise MissingFault("There is no torch here.", "pip install torch")
        if "right" in text:
            return verdicts.passed(exercise=exercise.id, file=str(path))
        finding = verdicts.wrong_values() if "values" in text else verdicts.out_of_bounds()
        return verdicts.failed(finding, exercise=exercise.id, file=str(path), seed=seed or 4711)


@pytest.fixture
def here(exercises: SmallCourse, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    del exercises
    folder = tmp_path / "here"
    (folder / "triton-path-exercises").mkdir(parents=True)
    monkeypatch.chdir(folder)
    monkeypatch.setattr("triton_path.tutor.checking.Checker", KnownChecker)
    KnownChecker.seeds.clear()
    return folder


def write(folder: Path, text: str, name: str = FILE) -> None:
    (folder / name).parent.mkdir(parents=True, exist_ok=True)
    (folder / name).write_text(text)


def test_a_kernel_that_is_wrong(here: Path, run: Run, home: Path) -> None:
    write(here, "wrong")
    done = run("practice", "check", "copy-tile")
    assert (done.code, done.err) == (ExitCode.WRONG, "")
    for words in ("copy-tile", "case 2 of 6", "✗ Load out of bounds", "This looks like",
                  "practice check copy-tile  once", "hint 1 of 3"):  # fmt: skip
        assert words in done.out
    with open_store(home) as store:
        record = store.exercises.of("copy-tile")
    assert (record.checks, record.passed, record.fault) == (1, False, "out-of-bounds-load")


def test_a_kernel_that_is_right_is_marked_and_the_next_step_named(
    here: Path, run: Run, home: Path
) -> None:
    write(here, "right")
    done = run("practice", "check", "copy-tile")
    assert done.code == ExitCode.OK
    for words in ("✓ passed ★☆☆", "You can copy a tile.", "Passed for the first time",
                  "Next: triton-path practice start fill-tile",
                  "practice solution copy-tile"):  # fmt: skip
        assert words in done.out
    with open_store(home) as store:
        assert store.exercises.of("copy-tile").stars == 1
    again = run("practice", "check", "copy-tile")
    assert "first time" not in again.out


def test_hints_that_were_seen_are_counted(here: Path, run: Run, home: Path) -> None:
    write(here, "wrong")
    with open_store(home) as store:
        store.exercises.see_hint("copy-tile", 2)
    assert "hint 3 of 3" in run("practice", "check").out
    with open_store(home) as store:
        store.exercises.see_hint("copy-tile", 3)
    assert "all 3 hints again" in run("practice", "check").out


def test_a_check_can_be_repeated(here: Path, run: Run) -> None:
    write(here, "values")
    done = run("practice", "check", "copy-tile", "--seed", "12")
    assert KnownChecker.seeds == [12]
    assert "triton-path practice check copy-tile --seed 12" in done.out
    assert run("practice", "check", "--seed", "x").code == ExitCode.USAGE
    assert run("practice", "check", "--seed", "-1").code == ExitCode.USAGE


def test_json_stands_alone_and_reads_back(here: Path, run: Run) -> None:
    write(here, "wrong")
    done = run("practice", "check", "copy-tile", "--json")
    assert done.code == ExitCode.WRONG
    document = json.loads(done.out)
    assert next(iter(document)) == "schema"
    assert Verdict.model_validate(document).faults[0].kind == "out-of-bounds-load"


def test_a_file_by_its_name_its_folder_or_an_option(here: Path, run: Run) -> None:
    write(here, "right", "copy_tile.py")
    assert run("practice", "check", "copy_tile.py").code == ExitCode.OK
    write(here, "right", "fill-tile/mine.py")
    assert "fill-tile" in run("practice", "check", "fill-tile/mine.py").out
    write(here, "right", "mine.py")
    assert run("practice", "check", "mine.py").code == ExitCode.USAGE
    done = run("practice", "check", "mine.py", "--exercise", "grow-tile")
    assert (done.code, "grow-tile" in done.out) == (ExitCode.OK, True)


def test_all_that_were_begun_a_line_each(here: Path, run: Run) -> None:
    write(here, "right")
    write(here, "wrong", "triton-path-exercises/grow_tile.py")
    done = run("practice", "check", "--all")
    assert done.code == ExitCode.WRONG
    assert done.out.splitlines()[0].startswith(" ✓ copy-tile")
    assert done.out.splitlines()[1].rstrip() == " ✗ grow-tile              Load out of bounds"
    assert done.out.splitlines()[2].strip() == "1 of 2 passed"
    assert done.out.splitlines()[-1].startswith(" Next: triton-path practice check grow-tile")
    document = json.loads(run("practice", "check", "--all", "--json").out)
    assert (document["schema"], document["passed"]) == ("triton-path/practice-all/1", 1)
    assert [one["exercise"] for one in document["verdicts"]] == ["copy-tile", "grow-tile"]
    write(here, "right", "triton-path-exercises/grow_tile.py")
    assert run("practice", "check", "--all").code == ExitCode.OK


@pytest.mark.parametrize(
    ("arguments", "words", "hint"),
    [
        ([], "not begun an exercise", "practice start"),
        (["--all"], "no exercise of yours", "practice start"),
        (["copy-tile", "--all"], "--all takes no exercise", "check --all"),
        (["copy-til"], "Did you mean 'copy-tile'", "practice list"),
        (["copy-tile"], "no copy_tile.py", "practice start copy-tile"),
        (["gone/copy_tile.py"], "no file", "practice"),
        (["triton-path-exercises"], "folder", "practice"),
    ],
)
def test_a_mistake_gets_a_sentence_and_a_command(
    here: Path, run: Run, arguments: list[str], words: str, hint: str
) -> None:
    del here
    done = run("practice", "check", *arguments)
    assert (done.code, done.out) == (ExitCode.USAGE, "")
    assert words in done.err
    assert hint in done.err.split("Next:")[1]


def test_a_file_that_is_no_text(here: Path, run: Run) -> None:
    (here / FILE).write_bytes(b"x = '\xff'\n")
    done = run("practice", "check", "copy-tile")
    assert done.code == ExitCode.USAGE
    assert "not UTF-8" in done.err


def test_what_this_machine_lacks(here: Path, run: Run, home: Path) -> None:
    write(here, "no torch")
    done = run("practice", "check", "copy-tile")
    assert done.code == ExitCode.MISSING
    assert "Next: pip install torch" in done.err
    with open_store(home) as store:
        assert store.exercises.of("copy-tile").checks == 0


@pytest.mark.parametrize(
    ("text", "arguments", "code", "words"),
    [
        ("right", ["copy-tile"], ExitCode.MISSING, "✓ passed ★☆☆"),
        ("right", ["copy-tile", "--json"], ExitCode.MISSING, '"passed": true'),
        ("wrong", ["copy-tile"], ExitCode.WRONG, "✗ Load out of bounds"),
        ("right", ["--all"], ExitCode.MISSING, "1 of 1 passed"),
        ("wrong", ["--all"], ExitCode.WRONG, "0 of 1 passed"),
    ],
)
def test_a_store_that_is_locked_costs_no_verdict(
    here: Path,
    run: Run,
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    text: str,
    arguments: list[str],
    code: ExitCode,
    words: str,
) -> None:
    write(here, text)
    with open_store(home):
        pass
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.1)
    with closing(sqlite3.connect(home / file_module.FILE_NAME, isolation_level=None)) as lock:
        monkeypatch.setattr(KnownChecker, "lock", lock)
        done = run("practice", "check", *arguments)
    assert done.code == code
    assert words in done.out
    assert "Not kept" not in done.out
    assert done.err.count("database is locked") == 1
    assert "  Next: try again" in done.err
    with open_store(home) as store:
        assert store.exercises.of("copy-tile").checks == 0


def test_the_real_checker_says_what_is_wrong_and_what_is_right(
    tmp_path: Path, run: Run, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.chdir(tmp_path)
    course = REPOSITORY / "content" / "exercises" / "vector-add"
    file = tmp_path / "vector_add.py"
    shutil.copy(course / "wrong" / "no_mask.py", file)
    done = run("practice", "check", "vector_add.py", "--json", "--seed", "7")
    assert done.code == ExitCode.WRONG, done.err
    document = json.loads(done.out)
    assert document["seed"] == 7
    assert document["findings"][0]["kind"] == "out-of-bounds-load"
    assert document["findings"][0]["diagnosis"]["file"] == "no_mask.py"
    shutil.copy(course / "solution.py", file)
    done = run("practice", "check", "vector_add.py")
    assert done.code == ExitCode.OK, done.out
    assert "✓ passed" in done.out
    assert "sm_80" in done.out
