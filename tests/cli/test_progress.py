from __future__ import annotations

import io
import json
from types import SimpleNamespace
from typing import TYPE_CHECKING

import pytest

from tests.conftest import RIGHT_ANSWERS, Run, SmallCourse
from triton_path.progress.file import FILE_NAME
from triton_path.progress.store import open_store

if TYPE_CHECKING:
    from pathlib import Path

pytestmark = pytest.mark.usefixtures("in_use")


@pytest.fixture
def some(run: Run, in_use: SmallCourse, tmp_path: Path) -> None:
    answers = tmp_path / "answers.json"
    answers.write_text(json.dumps({**RIGHT_ANSWERS, "how-many": 3}))
    assert run("quiz", "shapes", "--answers", str(answers), "--keep").code == 1


def files(home: Path) -> list[str]:
    return sorted(path.name for path in home.iterdir() if path.is_file())


def test_nothing_done_yet(run: Run) -> None:
    assert run("progress").out == "Nothing done yet. Next: triton-path learn\n"


@pytest.mark.usefixtures("some")
def test_what_was_done_is_shown(run: Run) -> None:
    finished = run("progress")
    assert finished.code == 0
    (line,) = [line for line in finished.out.splitlines() if "shapes" in line]
    assert line.split() == ["shapes", "0/2", "4/5", "started"]
    assert "1 day of learning, 1 in a row" in finished.out


@pytest.mark.usefixtures("some")
def test_progress_as_json(run: Run) -> None:
    finished = run("progress", "--json")
    report = json.loads(finished.out)
    assert list(report) == [
        "due", "current", "exercise", "exercises_due", "days", "streak", "lessons",
    ]  # fmt: skip
    assert report["lessons"][0]["questions_right"] == 4
    assert finished.err == ""


@pytest.mark.usefixtures("some")
def test_export_to_stdout_is_json_alone(run: Run) -> None:
    finished = run("progress", "export")
    assert (finished.code, finished.err) == (0, "")
    assert len(json.loads(finished.out)["answer"]) == 5


@pytest.mark.usefixtures("some")
def test_export_and_import_elsewhere(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    file = str(tmp_path / "progress.json")
    before = run("progress", "export").out
    written = run("progress", "export", file)
    assert f"triton-path progress import {file}" in written.out
    monkeypatch.setenv("TRITON_PATH_HOME", str(tmp_path / "elsewhere"))
    assert run("progress", "import", file).out == "10 new or later records taken over.\n"
    assert run("progress", "import", file).out == "0 new or later records taken over.\n"
    assert run("progress", "export").out == before


@pytest.mark.usefixtures("some")
def test_import_from_stdin(run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO(run("progress", "export").out.encode())
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=data))
    monkeypatch.setenv("TRITON_PATH_HOME", str(tmp_path / "elsewhere"))
    assert "10 new" in run("progress", "import", "-").out


@pytest.mark.usefixtures("some")
def test_a_bad_import_changes_nothing(run: Run, tmp_path: Path) -> None:
    file = tmp_path / "half.json"
    before = run("progress", "export").out
    file.write_text(before[: len(before) // 2])
    finished = run("progress", "import", str(file))
    assert (finished.code, finished.out) == (2, "")
    assert "is no export of triton-path" in finished.err
    assert run("progress", "export").out == before


@pytest.mark.parametrize("target", ["none/p.json", ".", ""])
def test_an_export_that_cannot_be_written_is_a_usage_error(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, target: str
) -> None:
    monkeypatch.chdir(tmp_path)
    finished = run("progress", "export", target)
    assert finished.code == 2
    assert "cannot be written" in finished.err


def test_there_is_nothing_to_reset(run: Run) -> None:
    assert run("progress", "reset", "--yes").out == "There is no progress to reset.\n"


@pytest.mark.usefixtures("some")
def test_reset_keeps_a_backup(run: Run, home: Path) -> None:
    before = run("progress", "export").out
    finished = run("progress", "reset", "--yes")
    assert finished.code == 0
    (backup,) = [name for name in files(home) if name != FILE_NAME]
    assert backup.startswith("progress.db.reset-")
    assert backup in finished.out
    assert run("progress").out.startswith("Nothing done yet.")
    (home / FILE_NAME).unlink()
    (home / backup).rename(home / FILE_NAME)
    assert run("progress", "export").out == before


@pytest.mark.usefixtures("some")
def test_reset_without_a_terminal_asks_for_yes_and_changes_nothing(
    run: Run, home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("sys.stdin", io.StringIO("y\n"))
    finished = run("progress", "reset")
    assert finished.code == 2
    assert "triton-path progress reset --yes" in finished.err
    assert files(home) == [FILE_NAME]
    with open_store(home) as store:
        assert not store.is_empty()
