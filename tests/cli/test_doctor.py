"""The whole command, with real probes and with broken packages."""

from __future__ import annotations

import json
import re
from typing import TYPE_CHECKING

import pytest

from triton_path.tutor.doctor import examine

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("in_use")
ROWS = ["python", "torch", "triton", "numpy", "fit", "interpreter", "compile", "gpu", "cxx",
        "terminal", "editor", "store", "course", "workspace", "cache"]  # fmt: skip


def put(folder: Path, monkeypatch: pytest.MonkeyPatch, **modules: str) -> None:
    for name, text in modules.items():
        (folder / f"{name}.py").write_text(text)
    monkeypatch.setenv("PYTHONPATH", str(folder))


def test_here_everything_needed_works(run: Run, home: Path) -> None:
    finished = run("doctor", "--json")
    report = json.loads(finished.out)
    assert (finished.code, finished.err) == (0, "")
    assert report["schema"] == "triton-path/doctor/1"
    assert [row["id"] for row in report["rows"]] == ROWS
    assert set(report["rows"][0]) == {"id", "state", "found", "enables", "mend"}
    states = {row["id"]: row["state"] for row in report["rows"]}
    for name in ("torch", "triton", "numpy", "interpreter", "compile", "store", "course"):
        assert states[name] == "works"
    assert (report["faults"], report["next"]) == ([], "triton-path learn")
    assert not (home / "progress.db").exists()


def test_a_torch_that_kills_its_process_costs_its_own_rows(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    put(tmp_path, monkeypatch, torch="import os\nos.abort()")
    finished = run("doctor")
    lines = finished.out.splitlines()
    assert finished.code == 3
    assert lines[0] == " triton-path doctor: what works here, found by trying it"
    state = {match[1]: match[2] for line in lines
             if (match := re.match(r" \S (.{11}) (\w+)", line))}  # fmt: skip
    assert state["torch      "] == "broken"
    assert state["Triton     "] == "works"
    assert state["numpy      "] == "works"
    assert state["interpreter"] == "missing"
    assert state["compiler   "] == "works"
    assert state["course     "] == "works"
    assert "SIGABRT" in finished.out
    assert re.search(r"Mend first: .* --force-reinstall torch", finished.out)


def test_without_torch_and_triton_the_lessons_remain(
    run: Run, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    absent = {name: f"raise ModuleNotFoundError(name={name!r})" for name in ("torch", "triton")}
    put(tmp_path, monkeypatch, **absent)
    finished = run("doctor", "--json")
    report = json.loads(finished.out)
    assert finished.code == 3
    assert report["can"] == ["read lessons and answer quizzes"]
    assert report["faults"] == ["torch", "triton", "interpreter", "compile"]
    states = {row["id"]: row["state"] for row in report["rows"]}
    assert states["torch"] == states["triton"] == states["compile"] == "missing"
    assert states["numpy"] == "works"


def test_ctrl_c_ends_every_probe(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    started = []

    class Interrupted(examine.ColdProbe):
        def __init__(self, probe: str) -> None:
            super().__init__(probe)  # type: ignore[arg-type]
            started.append(self._process)

        def found(self, kind: object) -> object:
            raise KeyboardInterrupt

    monkeypatch.setattr(examine, "ColdProbe", Interrupted)
    assert run("doctor").code == 130
    assert len(started) == examine.AT_ONCE
    assert all(process.poll() is not None for process in started)


def test_its_help_has_an_example(run: Run) -> None:
    assert "Example: triton-path doctor --json" in run("doctor", "--help").out
