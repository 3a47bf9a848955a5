"""A learner in a real terminal: the whole first lesson, interruptions at every kind of prompt."""

from __future__ import annotations

import json
import sqlite3
import time
from typing import TYPE_CHECKING

import pytest

from tests.e2e.terminal import Terminal, left_as_found, terminal_mode
from triton_path.course.loader import find_lesson, load_course, load_lesson
from triton_path.course.questions import ChoiceQuestion, Question
from triton_path.paths import content_dir
from triton_path.tutor.asking import shuffled

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triton_path.course.models import Lesson


@pytest.fixture(scope="module")
def lesson() -> Lesson:
    root = content_dir()
    return load_lesson(root, find_lesson(load_course(root), "introduction"))


def right_keys(question: Question, seed: int) -> list[str]:
    """Return the keys that give the right answer."""
    if not isinstance(question, ChoiceQuestion):
        answer = question.answer
        return [*(f"{answer:g}" if isinstance(answer, float) else str(answer)), "enter"]
    shown = [choice.id for choice in shuffled(question, seed)]
    return [*(str(shown.index(name) + 1) for name in question.right_ids), "enter"]


def wrong_keys(question: Question, seed: int) -> list[str]:
    """Return the keys that give a wrong answer."""
    if not isinstance(question, ChoiceQuestion):
        return ["1", "3", "enter"] if question.kind == "line" else ["9", "9", "enter"]
    shown = [choice.id for choice in shuffled(question, seed)]
    wrong = next(choice.id for choice in question.choices if not choice.correct)
    return [str(shown.index(wrong) + 1), "enter"]


def through_sections(terminal: Terminal, lesson: Lesson) -> None:
    """Read all sections with space, page by page."""
    for section in lesson.sections:
        terminal.see(section.title)
        while True:
            before = terminal.text
            if f"Question 1 of {len(lesson.questions)}" in before:
                return
            terminal.press(" ")
            terminal.changes(before)
            if section.title not in terminal.screen.display[0]:
                break


def answers(home: Path) -> list[tuple[str, int]]:
    with sqlite3.connect(home / "progress.db") as db:
        return db.execute("SELECT question, correct FROM answer ORDER BY at").fetchall()


def test_the_whole_lesson_with_right_and_wrong_answers(tmp_path: Path, lesson: Lesson) -> None:
    terminal = Terminal("learn", "introduction", "--seed", "7", home=tmp_path)
    through_sections(terminal, lesson)
    total = len(lesson.questions)
    for number, question in enumerate(lesson.questions, start=1):
        terminal.see(f"Question {number} of {total}")
        wrong = number % 3 == 0
        terminal.press(*(wrong_keys if wrong else right_keys)(question, 7))
        terminal.see("Not quite" if wrong else "Right")
        if number == 5:
            break
        terminal.press(" ")
    terminal.press("q")
    assert terminal.end() == 0
    assert left_as_found(terminal)

    again = Terminal("learn", "--seed", "7", home=tmp_path)
    again.see(f"Question 5 of {total}")
    again.press("tab")
    for number, question in enumerate(lesson.questions[5:], start=6):
        again.see(f"Question {number} of {total}")
        again.press(*right_keys(question, 7))
        again.see("Right")
        again.press(" ")
    again.see("Your score", f"{total - 1} of {total} right")
    again.press(" ")
    again.see("Case study", lesson.case_study.title[:20])
    again.press(" ")
    for number in range(1, len(lesson.case_study.questions) + 1):
        again.see(f"Case study, question {number} of")
        again.press("t", *"bandwidth", "enter")
        again.see("Your try", "bandwidth")
        again.press("s")
        again.see("Solution")
        again.wait(lambda: "Solution" in again.text, "the solution")
        while f"question {number} of" in again.screen.display[0]:
            before = again.text
            again.press(" ")
            again.changes(before)
    again.see("what you can do now")
    again.press("q")
    assert again.end() == 0
    assert [correct for _, correct in answers(tmp_path)].count(0) == 1
    assert len(answers(tmp_path)) == total


def test_a_killed_learner_is_back_at_the_same_page(tmp_path: Path, lesson: Lesson) -> None:
    terminal = Terminal("learn", home=tmp_path)
    terminal.see(lesson.sections[0].title, "page 1")
    for _ in range(4):
        before = terminal.text
        terminal.press(" ")
        terminal.changes(before)
        top = terminal.screen.display[0]
        terminal.kill()
        terminal = Terminal("learn", home=tmp_path)
        terminal.see(top.strip())
    terminal.kill()


def test_keys_typed_as_fast_as_a_paste_all_count(tmp_path: Path, lesson: Lesson) -> None:
    terminal = Terminal("learn", home=tmp_path)
    terminal.see(lesson.sections[0].title)
    terminal.press("c", "4", *["tab"] * len(lesson.questions))
    terminal.see("Your score")
    terminal.press("left", "left", "left")
    terminal.see(f"Question {len(lesson.questions) - 2} of")
    terminal.kill()


def test_a_demo_runs_in_its_panel_and_can_be_changed(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text("#!/bin/sh\nsed -i 's/^BLOCK = 4/BLOCK = 8/' \"$1\"\n")
    editor.chmod(0o755)
    terminal = Terminal("learn", home=tmp_path, EDITOR=str(editor))
    terminal.see("page 1")
    terminal.press("c", "2", " ", "r")
    terminal.see("terminal 78x20", "program  2", "finished in")
    terminal.press("e")
    terminal.see("6 masked lanes", "finished in")
    terminal.press("left")
    terminal.see("opens your copy")
    copy = tmp_path / "demos" / "introduction" / "first_kernel.py"
    assert "BLOCK = 8" in copy.read_text()
    terminal.press("r")
    terminal.see("2 masked lanes", "finished in")
    terminal.press(" ")
    terminal.see("One program, one tile", "page 3 of 4")
    terminal.kill()


def test_ctrl_c_stops_a_demo_and_the_lesson_goes_on(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text('#!/bin/sh\nprintf \'print("begun")\\nwhile True: pass\\n\' > "$1"\n')
    editor.chmod(0o755)
    terminal = Terminal("learn", home=tmp_path, EDITOR=str(editor))
    terminal.see("page 1")
    terminal.press("e")
    terminal.see("begun", "running")
    terminal.press("ctrl-c")
    terminal.see("stopped by you")
    terminal.press("left")
    terminal.see("Three ways")
    terminal.press("q")
    assert terminal.end() == 0


PROMPTS = {
    "section": ([], "page 1"),
    "help": (["?"], "Keys"),
    "contents": (["c"], "Contents"),
    "demo output": (["r"], "finished in"),
    "demo just started, stopped, text": (["r", "ctrl-c", "left"], "Three ways"),
    "single choice": (["c", "4"], "Question 1"),
    "verdict": (["c", "4", "1", "enter"], "next"),
    "number": (["c", "4", *["tab"] * 5, "1", "2"], "› 12"),
    "score": (["c", "4", *["tab"] * 12], "Your score"),
    "case": (["c", "5", " ", "x"], "own try"),
    "own try": (["c", "5", " ", "t", "a", "b"], "› ab"),
}


@pytest.fixture
def shell(tmp_path: Path) -> Iterator[Terminal]:
    """A learner in the first lesson."""
    terminal = Terminal("learn", home=tmp_path)
    yield terminal
    terminal.kill()


@pytest.mark.parametrize("prompt", PROMPTS)
def test_ctrl_c_at_any_prompt_keeps_progress_and_terminal(
    shell: Terminal, tmp_path: Path, prompt: str
) -> None:
    before = terminal_mode(shell)
    shell.see("page 1")
    assert terminal_mode(shell) != before
    keys, sight = PROMPTS[prompt]
    for key in keys:
        shell.press(key)
    shell.see(sight)
    shell.press("ctrl-c")
    assert shell.end() == 130
    assert left_as_found(shell)
    assert terminal_mode(shell) == before
    with sqlite3.connect(tmp_path / "progress.db") as db:
        assert db.execute("PRAGMA integrity_check").fetchone() == ("ok",)
        assert db.execute("SELECT count(*) FROM place").fetchone() == (1,)


def test_a_window_made_smaller_while_reading_is_drawn_anew(tmp_path: Path) -> None:
    terminal = Terminal("learn", home=tmp_path)
    terminal.see("page 1 of")
    terminal.child.setwinsize(16, 60)
    terminal.screen.resize(16, 60)
    terminal.see(" 1/", "●○○", "more keys")
    assert all(len(line.rstrip()) <= 60 for line in terminal.screen.display)
    terminal.kill()


def test_the_quiz_keeps_what_was_answered_when_it_is_left(tmp_path: Path) -> None:
    terminal = Terminal("quiz", "introduction", home=tmp_path)
    terminal.see("Question 1 of")
    terminal.press("1", "enter")
    terminal.see("next")
    terminal.press("q")
    assert terminal.end() == 0
    assert len(answers(tmp_path)) == 1


def test_missed_questions_can_be_asked_again(tmp_path: Path, lesson: Lesson) -> None:
    terminal = Terminal("quiz", "introduction", "--seed", "1", home=tmp_path)
    first = lesson.questions[0]
    terminal.see("Question 1 of")
    terminal.press(*wrong_keys(first, 1))
    terminal.see("Not quite")
    terminal.press(" ", *["tab"] * (len(lesson.questions) - 1))
    terminal.see("Your score", f"0 of {len(lesson.questions)} right", "Not answered: 11")
    terminal.press("m")
    terminal.see("Question 1 of")
    terminal.press(*right_keys(first, 2))
    terminal.see("Right")
    terminal.kill()
    assert [correct for _, correct in answers(tmp_path)] == [0, 1]


def test_progress_is_exported_whole(tmp_path: Path) -> None:
    terminal = Terminal("quiz", "introduction", home=tmp_path)
    terminal.see("Question 1 of")
    terminal.press("1", "enter")
    terminal.see("next")
    terminal.press("q")
    terminal.end()
    export = Terminal("progress", "export", home=tmp_path, columns=2000)
    assert export.end() == 0
    data = json.loads(export.history.decode())
    assert data["schema"] == "triton-path/progress/1"
    assert len(data["answer"]) == 1


def test_a_paste_gives_no_answers_and_loses_no_text(tmp_path: Path, lesson: Lesson) -> None:
    terminal = Terminal("learn", home=tmp_path)
    terminal.see("page 1")
    terminal.press("c", "5", " ", "t", "\x1b[200~first line\r\nsecond line\r\n\x1b[201~")
    terminal.see("› first line second line")
    terminal.press("enter")
    terminal.see("Your try", "first line second line")
    terminal.press("q")
    assert terminal.end() == 0
    again = Terminal("quiz", "introduction", home=tmp_path)
    again.see("Question 1 of")
    again.press("\x1b[200~1\r\r\r\x1b[201~")
    again.see("▸ 1")
    assert "Question 1 of" in again.text
    again.kill()
    assert answers(tmp_path) == []


def test_enter_alone_answers_nothing(tmp_path: Path) -> None:
    terminal = Terminal("quiz", "introduction", home=tmp_path)
    terminal.see("Question 1 of")
    terminal.press("enter")
    terminal.see("Choose first")
    terminal.press("q")
    assert terminal.end() == 0
    assert answers(tmp_path) == []


def test_the_section_can_be_read_again_from_a_verdict(tmp_path: Path, lesson: Lesson) -> None:
    terminal = Terminal("quiz", "introduction", "--seed", "1", home=tmp_path)
    terminal.see("Question 1 of")
    terminal.press(*wrong_keys(lesson.questions[0], 1))
    terminal.see("Not quite", "the section")
    terminal.press("s")
    terminal.see("read again", lesson.section(lesson.questions[0].section).title)
    terminal.press("q")
    terminal.see("Not quite")
    terminal.kill()


def test_a_long_text_is_taken_at_once(tmp_path: Path) -> None:
    terminal = Terminal("learn", home=tmp_path)
    terminal.see("page 1")
    terminal.press("c", "5", " ", "t")
    terminal.see("throw it away")
    start = time.monotonic()
    terminal.press("word " * 300 + "end")
    terminal.see(" end")
    assert time.monotonic() - start < 3
    terminal.kill()


def test_keys_typed_while_a_demo_runs_count_afterwards(tmp_path: Path) -> None:
    terminal = Terminal("learn", home=tmp_path)
    terminal.see("page 1")
    terminal.press("r", "q")
    assert terminal.end() == 0


def test_what_a_demo_prints_cannot_drive_the_terminal(tmp_path: Path) -> None:
    editor = tmp_path / "editor"
    editor.write_text(
        "#!/bin/sh\nprintf '%s\\n' 'print(\"\\x1b[2J\\x1b]0;title\\x07\\x1b[31mplain\")' > \"$1\"\n"
    )
    editor.chmod(0o755)
    terminal = Terminal("learn", home=tmp_path, EDITOR=str(editor))
    terminal.see("page 1")
    terminal.press("e")
    terminal.see("plain", "finished in")
    assert b"\x1b]0;title" not in terminal.history
    assert "terminal 78x20" in terminal.text
    terminal.kill()
