"""Rows for where a person types: the terminal and the editor."""

from __future__ import annotations

import os
import shutil
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.terminal.editor import EDITORS, chosen_editor, first_editor
from triton_path.tutor.doctor.report import Row

if TYPE_CHECKING:
    from triton_path.terminal.interactive import Manner
    from triton_path.tutor.doctor.mend import Mender
    from triton_path.tutor.doctor.report import State

LEAST_COLUMNS = 60
"""Narrower windows cut pictures and listings."""


@dataclass(frozen=True)
class Terminal:
    """What the terminal says of itself."""

    manner: Manner
    columns: int
    rows: int
    colour: bool
    encoding: str
    term: str


def terminal_here() -> Terminal:
    """Ask the terminal."""
    from triton_path.terminal.console import has_colour, plain_console
    from triton_path.terminal.interactive import manner

    columns, rows = shutil.get_terminal_size()
    return Terminal(
        manner=manner(),
        columns=columns,
        rows=rows,
        colour=has_colour(plain_console()),
        encoding=(getattr(sys.stdout, "encoding", None) or "ascii").lower(),
        term=os.environ.get("TERM", ""),
    )


def terminal_row(terminal: Terminal) -> Row:
    """Judge the terminal. No colour is a choice, not a fault."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id="terminal", state=state, found=text, enables="full screens", mend=mend)

    unicode = terminal.encoding.startswith("utf")
    letters = "Unicode" if unicode else f"{terminal.encoding}: drawn in ASCII"
    if terminal.manner == "none":
        text = f"none: input or output is a pipe; plain text, {letters}"
        return row("limited", text, "triton-path doctor   (in a terminal, not piped)")
    size = f"{terminal.columns}x{terminal.rows}"
    colour = "colour" if terminal.colour else "no colour"
    if terminal.manner == "lines":
        mend = "export TERM=xterm-256color" if terminal.term == "dumb" else None
        return row("limited", f"{size}, {colour}, {letters}; line by line, no full screens", mend)
    text = f"{size}, {colour}, {letters}"
    if not unicode:
        named = "PYTHONIOENCODING" if "PYTHONIOENCODING" in os.environ else ""
        return row("limited", text, f"unset {named}" if named else "export LANG=C.UTF-8")
    if terminal.columns < LEAST_COLUMNS:
        text = f"{text}; pictures need {LEAST_COLUMNS} columns"
        return row("limited", text, "resize -s 24 80   (or make the window larger)")
    return row("works", text)


def editor_row(mender: Mender) -> Row:
    """Find the editor that a demo's copy would be opened in."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id="editor", state=state, found=text, enables="changing demos", mend=mend)

    chosen = chosen_editor()
    first = first_editor()
    if chosen:
        variable, words = chosen
        if shutil.which(words[0]):
            return row("works", f"{words[0]}, from {variable}")
        mend = f"unset {variable}" if first else mender.system("nano")
        return row("broken", f"{variable} names {words[0]}, which is not here", mend)
    if first is None:
        return row("missing", f"none of {', '.join(EDITORS[:-1])}", mender.system("nano"))
    return row("works", f"{first}; EDITOR would choose another")
