"""The Rich consoles everything is printed on: one set of rules for width, colour and encoding."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

from rich.console import COLOR_SYSTEMS, Console

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.segment import Segment

MAX_TEXT_COLUMNS = 88
"""Widest text: longer lines are hard to read."""


def plain_console(*, stderr: bool = False) -> Console:
    """Return the console for output that scrolls: stdout, or stderr for notes."""
    console = Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)
    if not console.width:  # COLUMNS=0 is some programs' way to say that they do not know
        console.width = 80
    return console


def screen_console(columns: int) -> Console:
    """Return a console that renders for a full screen of `columns`, with the terminal's colours."""
    width = max(20, columns)
    return Console(
        file=io.StringIO(),
        force_terminal=True,
        width=width,
        highlight=False,
        markup=False,
        emoji=False,
        legacy_windows=False,
        no_color=True if os.environ.get("NO_COLOR") else None,
    )


def has_colour(console: Console) -> bool:
    """Whether colours would be seen: not in a pipe, and not where NO_COLOR is set."""
    return console.color_system is not None and not console.no_color


def to_lines(console: Console, renderable: RenderableType, width: int) -> list[str]:
    """Render to lines of text with control sequences for their styles, at most `width` wide."""
    options = console.options.update(width=width, height=None)
    lines = console.render_lines(renderable, options, pad=False)
    return [_ansi(console, line) for line in lines]


def print_lines(console: Console, renderable: RenderableType, width: int | None = None) -> None:
    """Print without the blanks with which Rich fills lines up: they get in the way of pipes."""
    for line in to_lines(console, renderable, width or console.width):
        console.file.write(f"{line.rstrip()}\n")


def _ansi(console: Console, line: list[Segment]) -> str:
    """Return a rendered line as text with its styles, as the console's terminal shows them.

    Printing each line to the console would do the same and take four times as long.
    """
    if console.color_system is None:
        return "".join(segment.text for segment in line)
    system = COLOR_SYSTEMS[console.color_system]
    parts = []
    for text, style, _ in line:
        if style and console.no_color:
            style = style.without_color
        parts.append(style.render(text, color_system=system) if style else text)
    return "".join(parts)
