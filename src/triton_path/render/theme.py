"""The few styles and signs that every screen uses. ANSI names: they suit dark and light windows."""

from __future__ import annotations

TITLE = "bold"
ACCENT = "cyan"
KEY = "bold cyan"
QUIET = "dim"
RIGHT = "green"
WRONG = "red"
NOTE = "yellow"

INLINE_STYLES = {"plain": "", "strong": "bold", "emphasis": "italic", "code": "cyan"}

DONE, HERE, OPEN = "✓", "▸", "·"
RIGHT_SIGN, WRONG_SIGN = "✓", "✗"
"""Signs stand beside every colour, so that nothing is said by colour alone."""

INDENT = 2
"""Columns left free at the left of running text."""

SIDE_BY_SIDE_COLUMNS = 78
"""Narrowest width at which listings stand beside one another."""
