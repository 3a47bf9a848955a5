"""A window to draw on: heading, body and key line on a `Screen`, whatever its size is now."""

from __future__ import annotations

from enum import Enum, auto
from typing import TYPE_CHECKING

from triton_path.render.frame import Heading, KeyHelp, heading, key_line, key_table
from triton_path.render.pages import Chunk, Part, paginate
from triton_path.terminal.console import MAX_TEXT_COLUMNS, has_colour, screen_console, to_lines

if TYPE_CHECKING:
    from collections.abc import Callable, Collection, Iterable, Sequence

    from rich.console import Console, RenderableType

    from triton_path.terminal.keys import Key
    from triton_path.terminal.screen import Screen

NEXT_KEYS = frozenset({" ", "enter", "right", "n", "l", "page-down"})
BACK_KEYS = frozenset({"left", "b", "h", "backspace", "page-up"})
QUIT_KEYS = frozenset({"q", "escape", "ctrl-d"})

SPARE_ROWS = 3
"""Rows that are not body: the heading, an empty one below it, and the key line."""


class Move(Enum):
    """Where a screen was left to."""

    NEXT = auto()
    BACK = auto()
    QUIT = auto()
    CONTENTS = auto()
    AGAIN = auto()


def turn(key: Key, page: int, pages: int) -> tuple[Move | None, int]:
    """Return where a reading key leads on page `page` of `pages`: a move away, or another page."""
    if key in NEXT_KEYS or key in ("down", "tab"):
        return (Move.NEXT, page) if page + 1 >= pages else (None, page + 1)
    if key in BACK_KEYS or key == "up":
        return (Move.BACK, page) if page == 0 else (None, page - 1)
    return (Move.QUIT if key in QUIT_KEYS else None), page


class Window:
    """Draws one screen after another on the same `Screen`."""

    def __init__(self, screen: Screen) -> None:
        self.screen = screen

    @property
    def columns(self) -> int:
        """Width of the window."""
        return self.screen.size[0]

    @property
    def text_width(self) -> int:
        """Width that text is set in: the window's, up to a readable measure."""
        return min(self.columns - 1, MAX_TEXT_COLUMNS)

    @property
    def body_height(self) -> int:
        """Rows for the body."""
        return max(1, self.screen.size[1] - SPARE_ROWS)

    @property
    def console(self) -> Console:
        """A console as wide as the window is now."""
        return screen_console(self.columns)

    @property
    def colour(self) -> bool:
        """Whether the terminal shows colour."""
        return has_colour(self.console)

    def lines(self, part: RenderableType) -> list[str]:
        """Render one part to lines of the text's width."""
        return to_lines(self.console, part, self.text_width)

    def pages(self, parts: Iterable[RenderableType | Part]) -> list[list[str]]:
        """Render `parts` and return pages of lines; a bare renderable is kept in one piece."""
        console, width = self.console, self.text_width
        chunks = [
            Chunk(to_lines(console, part.renderable, width), part.splits, part.leads)
            if isinstance(part, Part)
            else Chunk(to_lines(console, part, width))
            for part in parts
        ]
        return paginate(chunks, self.body_height, "")

    @property
    def busy(self) -> bool:
        """Whether keys wait: a screen that takes long to lay out need not be laid out now."""
        return self.screen.has_keys

    def draw(
        self,
        top: Heading,
        body: Sequence[str],
        keys: Sequence[KeyHelp],
        cursor: tuple[int, int] | None = None,
    ) -> None:
        """Paint the screen; `cursor` is a column and row within the body, from 0."""
        place = None if cursor is None else (cursor[0], cursor[1] + 2)
        self._paint(top, ["", *body], keys, place)

    def draw_panel(self, top: Heading, body: Sequence[str], keys: Sequence[KeyHelp]) -> None:
        """Paint a screen whose body needs every row: no empty one below the heading."""
        self._paint(top, body, keys, None)

    def _paint(
        self,
        top: Heading,
        body: Sequence[str],
        keys: Sequence[KeyHelp],
        cursor: tuple[int, int] | None,
    ) -> None:
        console, (columns, rows) = self.console, self.screen.size
        top_width = min(columns, MAX_TEXT_COLUMNS)
        top_lines = to_lines(console, heading(top, top_width), top_width)
        lines = [*top_lines[:1], *body][: rows - 1]
        lines += [""] * (rows - 1 - len(lines))
        lines += to_lines(console, key_line(keys, columns), columns)[:1]
        self.screen.paint(lines, cursor)

    def read_key(self) -> Key:
        """Wait for a key. Raises KeyboardInterrupt on Ctrl-C."""
        return self.screen.read_key()

    def read_pages(
        self,
        top: Heading,
        parts: Callable[[], Sequence[RenderableType | Part]],
        keys: Sequence[KeyHelp],
        others: Collection[Key] = (),
    ) -> Move | Key:
        """Show what `parts` gives, page by page; return the move away, or a key of `others`."""
        page = 0
        while True:
            pages = self.pages(parts())
            page = min(page, len(pages) - 1)
            self.draw(top, pages[page], keys)
            key = self.read_key()
            if key in others:
                return key
            move, page = turn(key, page, len(pages))
            if move is not None:
                return move

    def help(self, top: Heading, keys: Sequence[KeyHelp]) -> None:
        """Show all keys of a screen until a key is pressed."""
        page = 0
        while True:
            pages = self.pages([key_table("Keys", keys)])
            page = min(page, len(pages) - 1)
            self.draw(top, pages[page], [("any key", "goes back")])
            if self.read_key() == "resize":
                continue
            if page + 1 == len(pages):
                return
            page += 1
