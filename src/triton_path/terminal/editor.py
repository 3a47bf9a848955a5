"""The learner's editor."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil
import signal
import subprocess
from typing import TYPE_CHECKING

from triton_path.errors import MissingFault

if TYPE_CHECKING:
    from pathlib import Path

EDITORS = ("nano", "vim", "vi", "emacs", "notepad")
"""Tried in this order where neither VISUAL nor EDITOR is set."""


def chosen_editor() -> tuple[str, list[str]] | None:
    """Return the variable that names an editor and its command in words, None if none does."""
    for variable in ("VISUAL", "EDITOR"):
        with contextlib.suppress(ValueError):
            words = shlex.split(os.environ.get(variable, ""))
            if words:
                return variable, words
    return None


def first_editor() -> str | None:
    """Return the first of EDITORS that is on this machine."""
    return next((name for name in EDITORS if shutil.which(name)), None)


def open_editor(path: Path) -> None:
    """Open a file in the learner's editor and wait for its end. Raises MissingFault."""
    command = _command(path)
    # Ctrl-C belongs to the editor; a handler of ours, unlike SIG_IGN, is not inherited by it.
    before = signal.signal(signal.SIGINT, lambda *_: None)
    try:
        subprocess.run([*command, str(path)], check=False)
    except OSError as error:
        raise MissingFault(
            f"The editor '{command[0]}' did not start: {error.strerror}.", "export EDITOR=nano"
        ) from None
    finally:
        signal.signal(signal.SIGINT, before)


def _command(path: Path) -> list[str]:
    chosen = chosen_editor()
    if chosen:
        return chosen[1]
    name = first_editor()
    if name is None:
        raise MissingFault(
            f"No editor was found to open {path} in.", "export EDITOR=YOURS, or apt install nano"
        )
    return [name]
