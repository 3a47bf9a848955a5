"""How a person can be spoken with: a full screen, lines, or not at all."""

from __future__ import annotations

import importlib.util
import os
import sys
from typing import Literal

Manner = Literal["screen", "lines", "none"]


def manner() -> Manner:
    """Return the richest manner that this terminal allows.

    `none` where either end is a pipe or a file. `lines` where the cursor cannot be moved
    (TERM=dumb, an editor's shell, a screen reader's choice) or keys cannot be read one by one
    (Windows, which has no termios).
    """
    if not (sys.stdin and sys.stdout and sys.stdin.isatty() and sys.stdout.isatty()):
        return "none"
    if os.environ.get("TERM") == "dumb" or importlib.util.find_spec("termios") is None:
        return "lines"
    return "screen"
