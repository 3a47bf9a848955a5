"""Line mode: the same tutor where the cursor cannot be moved."""

from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

from tests.e2e.terminal import Terminal

if TYPE_CHECKING:
    from pathlib import Path


def test_a_dumb_terminal_gets_lines_and_no_control_sequences(tmp_path: Path) -> None:
    terminal = Terminal("learn", home=tmp_path, TERM="dumb", rows=200)
    terminal.see("Section 1 of 3", "r: run machine.py", "q: leave. >")
    terminal.press("r", "enter")
    terminal.see("What this machine has", "finished in")
    terminal.press("enter")
    terminal.see("Section 2 of 3")
    terminal.press("q", "enter")
    assert terminal.end() == 0
    assert b"\x1b" not in terminal.history
    again = Terminal("learn", home=tmp_path, TERM="dumb", rows=200)
    again.see("Section 2 of 3")
    again.press("ctrl-c")
    assert again.end() == 130


def test_a_quiz_by_lines_is_graded_and_kept(tmp_path: Path) -> None:
    terminal = Terminal("quiz", "introduction", home=tmp_path, TERM="dumb", rows=200)
    terminal.see("Question 1 of", "Pick one.")
    terminal.press("9", "enter")
    terminal.see("Type a number from 1 to 4.")
    terminal.press("1", "enter")
    terminal.see("Enter: next.")
    terminal.press("q", "enter")
    assert terminal.end() == 0
    with sqlite3.connect(tmp_path / "progress.db") as db:
        assert db.execute("SELECT count(*) FROM answer").fetchone() == (1,)


def test_the_end_of_input_leaves(tmp_path: Path) -> None:
    terminal = Terminal("quiz", "introduction", home=tmp_path, TERM="dumb", rows=200)
    terminal.see("Question 1 of")
    terminal.press("\x04")
    assert terminal.end() == 0


def test_a_whole_lesson_by_lines_reaches_its_end(tmp_path: Path) -> None:
    terminal = Terminal("learn", home=tmp_path, TERM="dumb", rows=400)
    terminal.see("Section 1 of 3", "q: leave. >")
    for _ in range(3 + 12 + 2):
        terminal.press("enter")
    terminal.see("Your own try")
    terminal.press(*"the bytes", "enter")
    terminal.see("Solution", "Enter: next.")
    for _ in range(5):
        terminal.press("enter")
    terminal.see("what you can do now")
    assert terminal.end() == 0
