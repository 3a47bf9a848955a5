"""The case study: read the situation, try each question, open its solution."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.render import case_study as view
from triton_path.screens.window import Move, Window, turn
from triton_path.terminal.line_editor import LineEditor

if TYPE_CHECKING:
    from triton_path.course.models import CaseQuestion, Lesson
    from triton_path.progress.store import Store
    from triton_path.render.frame import Heading, KeyHelp

READ_KEYS: tuple[KeyHelp, ...] = (("space", "next"), ("←", "back"), ("q", "leave"))
CASE_KEYS: tuple[KeyHelp, ...] = (
    ("t", "your own try"),
    ("s", "solution"),
    ("space", "next"),
    ("←", "back"),
    ("q", "leave"),
)
TRY_KEYS: tuple[KeyHelp, ...] = (("Enter", "keep it"), ("Esc", "throw it away"))


def read_situation(window: Window, lesson: Lesson, top: Heading) -> Move:
    """Show the situation, page by page."""
    move = window.read_pages(
        top,
        lambda: view.situation_parts(
            lesson.case_study, colour=window.colour, width=window.text_width
        ),
        READ_KEYS,
    )
    assert isinstance(move, Move)
    return move


def try_case(
    window: Window, top: Heading, question: CaseQuestion, lesson_id: str, store: Store
) -> Move:
    """Show one question; `t` takes the learner's own try, `s` opens the solution."""
    solved = False
    page = 0
    while True:
        attempt = store.attempt(lesson_id, question.id)
        parts = view.question_parts(
            question, attempt, solved=solved, colour=window.colour, width=window.text_width
        )
        pages = window.pages(parts)
        page = min(page, len(pages) - 1)
        keys = tuple(item for item in CASE_KEYS if not (solved and item[0] == "s"))
        window.draw(top, pages[page], keys)
        key = window.read_key()
        if key == "s" and not solved:
            solved = True
        elif key == "t":
            written = _write_try(window, top, question, attempt)
            if written is not None:
                store.save_attempt(lesson_id, question.id, written)
        else:
            move, page = turn(key, page, len(pages))
            if move is not None:
                return move


def _write_try(window: Window, top: Heading, question: CaseQuestion, before: str) -> str | None:
    """Let the learner write; return the text, or None if it was thrown away."""
    editor = LineEditor(before)
    while True:
        if not window.busy:
            _draw_try(window, top, question, editor)
        key = window.read_key()
        if key == "enter":
            return editor.text.strip()
        if key == "escape":
            return None
        editor.press(key)


def _draw_try(window: Window, top: Heading, question: CaseQuestion, editor: LineEditor) -> None:
    """Show the question and the text below it, wrapped, its end in sight."""
    width = window.text_width
    prompt = view.question_parts(question, "", solved=False, colour=window.colour, width=width)
    body = window.pages(prompt)[-1]
    inner = max(10, width - 4)
    rows = [editor.text[start : start + inner] for start in range(0, len(editor.text), inner)]
    if len(editor.text) % inner == 0:
        rows.append("")
    lines = [*body, "", *(f"  › {row}" for row in rows)]
    row = len(body) + 1 + editor.cursor // inner
    hidden = max(0, min(row, len(lines) - window.body_height))
    cursor = (4 + editor.cursor % inner, row - hidden)
    window.draw(top, lines[hidden:][: window.body_height], TRY_KEYS, cursor)
