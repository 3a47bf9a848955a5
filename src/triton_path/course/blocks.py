"""What a text of a course is made of, after its Markdown was read. Plain data, no layout."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from pathlib import Path


@dataclass(frozen=True)
class Span:
    """A run of characters in one style."""

    text: str
    style: Literal["plain", "strong", "emphasis", "code"] = "plain"


Inline = tuple[Span, ...]


@dataclass(frozen=True)
class Paragraph:
    """Running text."""

    inline: Inline


@dataclass(frozen=True)
class Prediction:
    """A question to answer in the head before running something (a Markdown blockquote)."""

    paragraphs: tuple[Inline, ...]


@dataclass(frozen=True)
class Bullets:
    """A list of one level."""

    items: tuple[Inline, ...]
    ordered: bool


@dataclass(frozen=True)
class Table:
    """A table; every row has as many cells as the header."""

    header: tuple[Inline, ...]
    rows: tuple[tuple[Inline, ...], ...]


@dataclass(frozen=True)
class Code:
    """Source text; `language` is a lexer's name."""

    text: str
    language: str
    title: str = ""


@dataclass(frozen=True)
class Columns:
    """Listings to compare, side by side where the window is wide enough."""

    panes: tuple[Code, ...]


@dataclass(frozen=True)
class Picture:
    """A drawing in text: shown as it is, never wrapped."""

    text: str


@dataclass(frozen=True)
class Demo:
    """A program that the learner can run, and edit in a copy."""

    id: str
    path: Path
    title: str
    edit: str
    """The line to change, in a sentence; empty where nothing is suggested."""


@dataclass(frozen=True)
class Sources:
    """The addresses of a text's links, which stand in it as numbers: a terminal hides no target."""

    urls: tuple[str, ...]


Block = Paragraph | Prediction | Bullets | Table | Code | Columns | Picture | Demo | Sources


def plain_text(inline: Inline) -> str:
    """Return the characters of `inline` without their styles."""
    return "".join(span.text for span in inline)
