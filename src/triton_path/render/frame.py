"""What stands around the text of every full screen: a heading above, the keys below."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.table import Table
from rich.text import Text

from triton_path.render import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

KeyHelp = tuple[str, str]
"""A key as it is printed, and what it does in a word or two."""


@dataclass(frozen=True)
class Heading:
    """The top line of a screen: where one is, the title, and progress at the right."""

    left: str
    """Parts joined by ` · `; those at the end are dropped first where the window is narrow."""
    title: str
    right: str = ""
    short: str = ""
    """What stands at the right where `right` is too long; `right` itself if this is empty."""


def heading(top: Heading, width: int) -> Table:
    """Return the top line; of several forms the fullest that leaves the title whole."""
    lefts = top.left.split(" · ") if top.left else []
    forms = [(lefts[:count], right) for right in (top.right, top.short or top.right)
             for count in range(len(lefts), -1, -1)]  # fmt: skip
    fitting = [form for form in forms if _heading_length(*form, top.title) <= width]
    left, right = max(fitting, key=lambda form: len(form[0])) if fitting else forms[-1]
    text = Text(" ")
    for part in left:
        text.append(f"{part} · ", theme.QUIET)
    text.append(top.title, theme.TITLE)
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right", no_wrap=True)
    grid.add_row(text, Text(f"{right} ", theme.ACCENT))
    return grid


def _heading_length(left: Sequence[str], right: str, title: str) -> int:
    return 1 + sum(cell_len(part) + 3 for part in left) + cell_len(title) + cell_len(right) + 3


def dots(index: int, total: int) -> str:
    """Return a row of dots, filled up to the one that is shown (from 0)."""
    if total > 12:
        return f"{index + 1}/{total}"
    return "●" * (index + 1) + "○" * (total - index - 1)


def key_line(keys: Sequence[KeyHelp], width: int) -> Text:
    """Return the bottom line; keys that do not fit are left out, the last one never is."""
    shown = list(keys)
    while len(shown) > 1 and _length(shown) > width:
        del shown[-2]
    line = Text(" ", no_wrap=True, overflow="ellipsis")
    for number, (key, meaning) in enumerate(shown):
        if number:
            line.append(" · ", theme.QUIET)
        line.append(key, theme.KEY)
        line.append(f" {meaning}")
    return line


def _length(keys: Sequence[KeyHelp]) -> int:
    return 1 + sum(len(key) + len(meaning) + 1 for key, meaning in keys) + 3 * (len(keys) - 1)


def key_table(title: str, keys: Sequence[KeyHelp]) -> Table:
    """Return all keys with their meanings, for the help page."""
    table = Table.grid(padding=(0, 2))
    table.add_column(no_wrap=True)
    table.add_column()
    table.add_row("", Text(title, theme.TITLE))
    table.add_row("", "")
    for key, meaning in keys:
        table.add_row(Text(key, theme.KEY), Text(meaning))
    return table
