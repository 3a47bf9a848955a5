"""The learner's editor."""

from __future__ import annotations

import contextlib
import os
import shlex
import shutil

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
