"""The Rich consoles everything is printed on: one set of rules for width, colour and encoding."""

from __future__ import annotations

import io
import os
from typing import TYPE_CHECKING

from rich.console import Console

if TYPE_CHECKING:
    from rich.console import RenderableType
    from rich.segment import Segment

MAX_TEXT_COLUMNS = 88
"""Widest text: longer lines are hard to read."""


def plain_console(*, stderr: bool = False) -> Console:
    """Return the console for output that scrolls: stdout, or stderr for notes."""
    return Console(stderr=stderr, highlight=False, markup=False, emoji=False, soft_wrap=False)


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


def to_lines(console: Console, renderable: RenderableType, width: int) -> list[str]:
    """Render to lines of text with control sequences for their styles, at most `width` wide."""
    options = console.options.update(width=width, height=None)
    lines = console.render_lines(renderable, options, pad=False)
    return [_ansi(console, line) for line in lines]


def print_lines(
    console: Console, renderable: RenderableType, width: int | None = None
) -> None:
    """Print without the blanks with which Rich fills lines up: they get in the way of pipes."""
    for line in to_lines(console, renderable, width or console.width):
        console.file.write(f"{line.rstrip()}\n")


def _ansi(console: Console, line: list[Segment]) -> str:
    with console.capture() as captured:
        console.print(_Segments(line), end="", no_wrap=True, crop=False)
    return captured.get()


class _Segments:
    """A ready line as a renderable."""

    def __init__(self, segments: list[Segment]) -> None:
        self.segments = segments

    def __rich_console__(self, *_: object) -> list[Segment]:
        return self.segments
