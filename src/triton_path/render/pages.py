"""Cuts rendered lines into pages that fit a window. Pure."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Generic, TypeVar

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

LineT = TypeVar("LineT")

FEWEST_LINES = 2
"""A paragraph cut in two leaves at least this many lines on either page."""


@dataclass(frozen=True)
class Part:
    """A renderable and how it may be cut."""

    renderable: RenderableType
    splits: bool = False
    """Whether a page may end inside it, as inside running text; a picture is seen whole."""
    leads: bool = False
    """Whether it introduces the next part and should not end a page."""


@dataclass(frozen=True)
class Chunk(Generic[LineT]):
    """The lines of a part."""

    lines: Sequence[LineT]
    splits: bool = False
    leads: bool = False


def paginate(chunks: Sequence[Chunk[LineT]], height: int, blank: LineT) -> list[list[LineT]]:
    """Return pages of at most `height` lines; `blank` stands between two chunks on one page.

    A chunk that cannot be split moves to the next page where it fits that page better; one that
    is longer than a page is cut in any case, since every line must be seen.
    """
    pages: list[list[LineT]] = [[]]
    for index, chunk in enumerate(chunks):
        following = chunks[index + 1] if chunk.leads and index + 1 < len(chunks) else None
        if pages[-1] and not _begins_here(chunk, following, height - len(pages[-1]) - 1, height):
            pages.append([])
        if pages[-1]:
            pages[-1].append(blank)
        lines = list(chunk.lines)
        while lines:
            room = height - len(pages[-1])
            left_over = len(lines) - room
            if chunk.splits and 0 < left_over < FEWEST_LINES and room > FEWEST_LINES:
                room -= FEWEST_LINES - left_over
            pages[-1] += lines[:room]
            lines = lines[room:]
            if lines:
                pages.append([])
    return [page for page in pages if page] or [[]]


def _begins_here(
    chunk: Chunk[LineT], following: Chunk[LineT] | None, room: int, height: int
) -> bool:
    """Whether `chunk` should begin on a page that has `room` lines left."""
    needed = len(chunk.lines)
    if following is not None and needed + 1 + len(following.lines) <= height:
        needed += 1 + _fewest(following)
    else:
        needed = _fewest(chunk)
    # What no page can hold whole may begin anywhere.
    return needed <= room or (needed > height and room >= FEWEST_LINES)


def _fewest(chunk: Chunk[LineT]) -> int:
    """Return how many lines of `chunk` must stand on the page that it begins on."""
    whole = len(chunk.lines)
    return FEWEST_LINES if chunk.splits and whole >= 2 * FEWEST_LINES else whole
