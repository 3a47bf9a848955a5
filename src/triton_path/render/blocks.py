"""Blocks of a text as renderables: one look for lessons, questions and case studies."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table as RichTable
from rich.text import Text

from triton_path.course import blocks as course
from triton_path.render import theme
from triton_path.render.pages import Part

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import RenderableType


def inline(spans: course.Inline, style: str = "") -> Text:
    """Return spans as one styled text."""
    text = Text(style=style)
    for span in spans:
        text.append(span.text, theme.INLINE_STYLES[span.style])
    return text


def code(text: str, language: str, *, colour: bool, numbered: bool = False) -> Text:
    """Return source text, highlighted where there is `colour`, with line numbers if asked."""
    shown = _highlighted(text, language) if colour else Text(text)
    if not numbered:
        return shown
    lines = shown.split("\n")
    width = len(str(len(lines)))
    numbers = [Text(f"{number:>{width}} │ ", theme.QUIET) for number in range(1, len(lines) + 1)]
    return Text("\n").join(
        number.append_text(line) for number, line in zip(numbers, lines, strict=True)
    )


def _highlighted(text: str, language: str) -> Text:
    # Deferred: pygments takes about 60 ms, and piped output has no colour.
    from rich.syntax import Syntax

    lexer = language if language != "text" else "default"
    highlighted = Syntax(text, lexer, theme="ansi_dark", background_color="default").highlight(text)
    highlighted.rstrip()
    return highlighted


def block(item: course.Block, *, colour: bool, width: int) -> RenderableType:
    """Return one block as it looks at `width` columns, its left margin included."""
    return Padding(_content(item, colour=colour, width=width - theme.INDENT), (0, 0, 0, 2))


def part(item: course.Block, *, colour: bool, width: int) -> Part:
    """Return one block as a part of a page; text that ends in a colon stays with what follows."""
    splits = isinstance(item, course.Paragraph | course.Bullets)
    leads = isinstance(item, course.Paragraph) and course.plain_text(item.inline).endswith(":")
    return Part(block(item, colour=colour, width=width), splits=splits, leads=leads)


def _content(item: course.Block, *, colour: bool, width: int) -> RenderableType:
    if isinstance(item, course.Paragraph):
        return inline(item.inline)
    if isinstance(item, course.Prediction):
        return _prediction(item)
    if isinstance(item, course.Bullets):
        return _bullets(item)
    if isinstance(item, course.Table):
        return _table(item)
    if isinstance(item, course.Code):
        return _listing(item, colour=colour)
    if isinstance(item, course.Columns):
        return _columns(item, colour=colour, width=width)
    if isinstance(item, course.Picture):
        return Text(item.text, no_wrap=True, overflow="fold")
    if isinstance(item, course.Sources):
        return _sources(item)
    return Text.assemble(("demo  ", theme.ACCENT), item.title, (f"  ({item.path.name})", "dim"))


def _sources(item: course.Sources) -> RenderableType:
    grid = RichTable.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for number, url in enumerate(item.urls, start=1):
        grid.add_row(Text(f"[{number}]", theme.QUIET), Text(url, theme.QUIET))
    return grid


def _prediction(item: course.Prediction) -> RenderableType:
    grid = RichTable.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for number, paragraph in enumerate(item.paragraphs):
        label = Text("Predict:", f"bold {theme.NOTE}") if number == 0 else Text()
        grid.add_row(label, inline(paragraph))
    return grid


def _bullets(item: course.Bullets) -> RenderableType:
    grid = RichTable.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for number, entry in enumerate(item.items, start=1):
        grid.add_row(Text(f"{number}." if item.ordered else "•", theme.ACCENT), inline(entry))
    return grid


def _table(item: course.Table) -> RenderableType:
    from rich import box

    table = RichTable(box=box.SIMPLE_HEAD, pad_edge=False, show_edge=False, header_style="bold")
    for number, heading in enumerate(item.header):
        cells = [row[number] for row in item.rows]
        numeric = all(_is_number(course.plain_text(cell)) for cell in cells)
        table.add_column(inline(heading), justify="right" if numeric else "left", overflow="fold")
    for row in item.rows:
        table.add_row(*map(inline, row))
    return table


def _is_number(text: str) -> bool:
    return bool(text) and text.strip("~<> ")[:1].isdigit()


def _listing(item: course.Code, *, colour: bool) -> RenderableType:
    parts: list[RenderableType] = []
    if item.title:
        parts.append(Text(item.title, theme.TITLE))
    body = code(item.text, item.language, colour=colour)
    grid = RichTable.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(overflow="fold")
    for line in body.split("\n", allow_blank=True):
        grid.add_row(Text("│", theme.QUIET), line)
    parts.append(grid)
    return Group(*parts)


def _columns(item: course.Columns, *, colour: bool, width: int) -> RenderableType:
    if width + theme.INDENT < theme.SIDE_BY_SIDE_COLUMNS:
        return spaced(_listing(pane, colour=colour) for pane in item.panes)
    grid = RichTable.grid(expand=True, padding=(0, 1))
    for _ in item.panes:
        grid.add_column(ratio=1, overflow="fold")
    grid.add_row(*(Text(pane.title, theme.TITLE) for pane in item.panes))
    grid.add_row(*(Text("─" * 24, theme.QUIET, no_wrap=True) for _ in item.panes))
    grid.add_row(*(code(pane.text, pane.language, colour=colour) for pane in item.panes))
    return grid


def spaced(items: Iterable[RenderableType]) -> Group:
    """Return renderables one below another with an empty line between."""
    parts: list[RenderableType] = []
    for item in items:
        if parts:
            parts.append(Text())
        parts.append(item)
    return Group(*parts)


def flow(items: Sequence[course.Block], *, colour: bool, width: int) -> Group:
    """Return blocks one below another, an empty line between."""
    return spaced(block(item, colour=colour, width=width) for item in items)
