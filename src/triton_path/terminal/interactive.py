"""Whether a person sits at the terminal."""

from __future__ import annotations

import os
import sys


def is_interactive() -> bool:
    """Whether both ends are a terminal, and one that can move its cursor."""
    return sys.stdin.isatty() and sys.stdout.isatty() and os.environ.get("TERM") != "dumb"
