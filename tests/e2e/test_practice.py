"""An exercise from its start to the next one, in a real terminal."""

from __future__ import annotations

import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

from tests.conftest import REPOSITORY
from tests.e2e import terminal as terminal_module
from tests.e2e.terminal import Terminal, left_as_found, terminal_mode

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

EXERCISE = REPOSITORY / "content" / "exercises" / "vector-add"


@pytest.fixture(autouse=True)
def patience(monkeypatch: pytest.MonkeyPatch) -> None:
    """Checks import torch, twice."""
    monkeypatch.setattr(terminal_module, "PATIENCE_SECONDS", 120.0)


@pytest.fixture
def work(tmp_path: Path) -> Path:
    """The file of vector-add, begun and not changed."""
    begun = Terminal(
        "practice", "start", "vector-add", "--dir", str(tmp_path / "work"), home=tmp_path / "home"
    )
    assert begun.end() == 0
    file = tmp_path / "work" / "vector_add.py"
    assert file.exists()
    return file


@pytest.fixture
def watch(work: Path, tmp_path: Path) -> Iterator[Terminal]:
    del work
    terminal = Terminal("practice", "watch", home=tmp_path / "home")
    yield terminal
    terminal.kill()


def save(file: Path, name: str) -> None:
    """Save as many editors do: by renaming another file over it."""
    partial = file.with_name("partial")
    partial.write_text((EXERCISE / name).read_text())
    partial.replace(file)


def test_start_fail_hint_pass_solution_next(watch: Terminal, work: Path, tmp_path: Path) -> None:
    watch.see("vector-add: add two vectors of any length")
    watch.see("Save your first change", "Formula")
    watch.press("h")
    watch.see("Hint 1 of 3: a nudge")
    save(work, "wrong/no_mask.py")
    watch.see("✗ Load out of bounds", "This looks like")
    save(work, "solution.py")
    watch.see("✓ passed", "Right in all", "Passed for the first time")
    watch.press("n")
    watch.see("1/", "Formula")
    assert "vector-add" not in watch.screen.display[0]
    watch.press("q")
    assert watch.end() == 0
    assert left_as_found(watch)

    home = tmp_path / "home"
    solution = Terminal("practice", "solution", "vector-add", home=home, rows=200)
    solution.see("The solution", "Why it is so")
    assert solution.end() == 0
    listed = Terminal("practice", "list", home=home, rows=200)
    listed.see("1 of ", "vector-add", "★☆☆")
    assert listed.end() == 0
    following = sorted(path.name for path in work.parent.glob("*.py"))
    assert len(following) == 2
    with sqlite3.connect(home / "progress.db") as db:
        checks = db.execute("SELECT passed FROM exercise_check ORDER BY at").fetchall()
    assert checks == [(0,), (1,)]


def test_a_trace_and_what_the_compiler_made_of_it(watch: Terminal, work: Path) -> None:
    save(work, "solution.py")
    watch.see("✓ passed")
    watch.press("t")
    watch.see("step programs", "add_kernel", "out_ptr")
    watch.press("n")
    watch.see("program 0")
    watch.press("q")
    watch.see("✓ passed")
    watch.press("i")
    watch.see("registers", "sm_80")
    watch.press("q")
    watch.see("✓ passed")


@pytest.mark.parametrize(
    ("sight", "key", "after"),
    [("not changed yet", "", ""), ("not changed yet", "r", "starting torch"),
     ("not changed yet", "h", "Hint 1"), ("not changed yet", "t", "tracing")],
)  # fmt: skip
def test_ctrl_c_leaves_the_terminal_as_it_was(
    watch: Terminal, sight: str, key: str, after: str, tmp_path: Path
) -> None:
    before = terminal_mode(watch)
    watch.see(sight)
    if key:
        watch.press(key)
        watch.see(after)
    start = time.monotonic()
    watch.press("ctrl-c")
    assert watch.end() == 130
    assert time.monotonic() - start < 10
    assert left_as_found(watch)
    assert terminal_mode(watch) == before
    with sqlite3.connect(tmp_path / "home" / "progress.db") as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)


def test_the_editor_has_the_terminal_and_its_save_is_checked(work: Path, tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(f'#!/bin/sh\ncp "{EXERCISE / "solution.py"}" "$1"\n')
    editor.chmod(0o755)
    terminal = Terminal(
        "practice", "watch", str(work), home=tmp_path / "home", columns=60, EDITOR=str(editor)
    )
    terminal.see("not changed yet")
    terminal.press("e")
    terminal.see("✓ passed")
    assert all(len(line.rstrip()) <= 60 for line in terminal.screen.display)
    terminal.press("q")
    assert terminal.end() == 0


def test_a_kernel_that_never_ends_does_not_keep_a_save_from_its_check(
    watch: Terminal, work: Path
) -> None:
    text = (EXERCISE / "solution.py").read_text()
    endless = "    inside = i < n\n    while tl.program_id(0) >= 0:\n        inside = i < n\n"
    work.write_text(text.replace("    inside = i < n\n", endless))
    watch.see("running the kernel")
    time.sleep(0.5)
    work.write_text(text)
    watch.see("✓ passed")
