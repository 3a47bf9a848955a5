"""Reads the part of Markdown that courses use, and turns it into blocks.

Fenced blocks named `listing`, `columns` and `demo` hold YAML and refer to files of the lesson;
`picture` holds a drawing; any other name is the language of literal code.
"""

from __future__ import annotations

import re
from dataclasses import replace
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, Annotated

from markdown_it import MarkdownIt
from pydantic import Field, RootModel

from triton_path.course.blocks import (
    Block,
    Bullets,
    Code,
    Columns,
    Demo,
    Inline,
    Paragraph,
    Picture,
    Prediction,
    Sources,
    Span,
    Table,
)
from triton_path.course.faults import Fault
from triton_path.course.fields import Slug
from triton_path.course.files import SourceFile
from triton_path.course.models import Section
from triton_path.course.source import CourseModel, parse_yaml
from triton_path.course.text import SourceError, odd_character

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from pathlib import Path

    from markdown_it.token import Token

HEADING = re.compile(r"(?P<title>.+?)\s*\{#(?P<id>[a-z][a-z0-9]*(?:-[a-z0-9]+)*)\}")
FENCE_TITLE = re.compile(r'title="([^"]*)"')
STYLES = {"strong_open": "strong", "em_open": "emphasis"}
QUOTED = frozenset({"blockquote_open", "paragraph_open", "inline"})
LISTED = frozenset({"list_item_open", "paragraph_open", "inline"})


class ListingFence(CourseModel):
    """A file of the lesson, whole or one region of it."""

    file: SourceFile
    title: str = ""
    region: str | None = None
    """Shows only the lines between `# region: NAME` and `# endregion`."""


class ColumnsFence(RootModel[Annotated[list[ListingFence], Field(min_length=1)]]):
    """The listings to set side by side."""


class DemoFence(CourseModel):
    """A demo of a section."""

    id: Slug
    file: SourceFile
    title: str
    edit: str = ""


@cache
def _parser() -> MarkdownIt:
    return MarkdownIt("commonmark", {"html": False}).enable("table")


def read_inline(text: str) -> Inline:
    """Return one line of Markdown as spans. Raises ValueError for anything but running text.

    A link has no place in it: its address could not be shown.
    """
    blocks = read_blocks(text)
    if len(blocks) != 1 or not isinstance(blocks[0], Paragraph):
        raise ValueError("must be one paragraph of text")
    return blocks[0].inline


def read_blocks(text: str) -> tuple[Block, ...]:
    """Return a short text without headings or files as blocks. Raises ValueError."""
    reader = _Reader(text, file="", first_line=1, folder=None)
    sections = reader.sections(headings=False)
    if reader.faults:
        raise ValueError("; ".join(fault.message for fault in reader.faults))
    if not sections or not sections[0].blocks:
        raise ValueError("is empty")
    return sections[0].blocks


def read_sections(text: str, file: str, first_line: int, folder: Path) -> tuple[Section, ...]:
    """Return the sections of a lesson's Markdown, which starts at `first_line` of `file`.

    `folder` is the lesson's own: files are looked for in it. Raises SourceError with all faults.
    """
    reader = _Reader(text, file, first_line, folder)
    sections = reader.sections(headings=True)
    if reader.faults:
        raise SourceError(reader.faults)
    return tuple(sections)


class _Reader:
    """Walks the tokens of one text, collecting blocks and faults."""

    def __init__(self, text: str, file: str, first_line: int, folder: Path | None) -> None:
        self.text = text
        self.file = file
        self.first_line = first_line
        self.folder = folder
        self.faults: list[Fault] = []
        self.links: list[str] = []

    def fault(self, token: Token, message: str) -> None:
        line = self.first_line + (token.map[0] if token.map else 0)
        self.faults.append(Fault(self.file, line, "", message))

    def sections(self, *, headings: bool) -> list[Section]:
        """Return all sections; without `headings`, one nameless section of all blocks."""
        sections: list[Section] = []
        blocks: list[Block] = []
        if not headings:
            sections.append(Section("", "", (), self.first_line))
        for group in _groups(_parser().parse(self.text)):
            opening = group[0]
            if opening.type == "heading_open":
                section = self.heading(group) if headings else None
                if section is None:
                    self.fault(opening, "a heading must be '## Title {#id}', in a lesson only")
                    continue
                if sections:
                    sections[-1] = self.complete(sections[-1], blocks)
                sections.append(section)
                blocks = []
                continue
            block = self.block(group)
            if block is None:
                continue
            if not sections:
                self.fault(opening, "text must come below a '## Title {#id}' heading")
                continue
            blocks.append(block)
        if sections:
            sections[-1] = self.complete(sections[-1], blocks)
        return sections

    def complete(self, section: Section, blocks: list[Block]) -> Section:
        """Give a section its blocks, and the addresses of its links last."""
        sources = [Sources(tuple(self.links))] if self.links else []
        self.links = []
        return replace(section, blocks=(*blocks, *sources))

    def heading(self, group: Sequence[Token]) -> Section | None:
        match = HEADING.fullmatch(group[1].content)
        if group[0].tag != "h2" or match is None:
            return None
        line = self.first_line + (group[0].map[0] if group[0].map else 0)
        return Section(match["id"], match["title"], (), line)

    def block(self, group: Sequence[Token]) -> Block | None:
        """Return the block of one group of tokens, or None after noting its fault."""
        opening = group[0]
        if opening.type == "paragraph_open":
            return Paragraph(self.inline(group[1]))
        if opening.type == "blockquote_open":
            return Prediction(tuple(self.inlines(group, QUOTED)))
        if opening.type in ("bullet_list_open", "ordered_list_open"):
            if sum(token.type.endswith("list_open") for token in group) > 1:
                self.fault(opening, "a list inside a list is not supported")
                return None
            return Bullets(
                tuple(self.inlines(group, LISTED)),
                ordered=opening.type == "ordered_list_open",
            )
        if opening.type == "table_open":
            return self.table(group)
        if opening.type == "fence":
            return self.fence(opening)
        self.fault(opening, f"'{opening.type.removesuffix('_open')}' is not supported")
        return None

    def inlines(self, group: Sequence[Token], allowed: frozenset[str]) -> Iterator[Inline]:
        """Give the paragraphs of a list or a quotation, and refuse what is none."""
        for previous, token in pairwise(group):
            if token.type in ("fence", "code_block"):
                self.fault(token, "code cannot stand inside a list or a quotation")
            elif token.nesting >= 0 and token.type not in allowed:
                name = token.type.removesuffix("_open")
                self.fault(token, f"'{name}' cannot stand inside a list or a quotation")
            if token.type == "inline" and previous.type == "paragraph_open":
                yield self.inline(token)

    def inline(self, token: Token) -> Inline:
        spans: list[Span] = []
        styles = ["plain"]
        link = ""
        for child in token.children or ():
            odd = odd_character(child.content)  # written as an entity
            if odd:
                self.fault(token, odd)
            if child.type in ("text", "text_special"):
                spans.append(Span(child.content, styles[-1]))  # type: ignore[arg-type]
            elif child.type == "code_inline":
                spans.append(Span(child.content, "code"))
            elif child.type in ("softbreak", "hardbreak"):
                spans.append(Span(" "))
            elif child.type in STYLES:
                styles.append(STYLES[child.type])
            elif child.type in ("strong_close", "em_close"):
                styles.pop()
            elif child.type == "link_open":
                link = str(child.attrs.get("href", ""))
                if not link.startswith("https://"):
                    self.fault(token, f"a link must start with https://, not '{link[:30]}'")
            elif child.type == "link_close":
                if link not in self.links:
                    self.links.append(link)
                spans.append(Span(f" [{self.links.index(link) + 1}]"))
            else:
                self.fault(token, f"'{child.type}' is not supported")
        return tuple(spans)

    def table(self, group: Sequence[Token]) -> Table:
        rows: list[list[Inline]] = []
        for token in group:
            if token.type == "tr_open":
                rows.append([])
            elif token.type == "inline":
                rows[-1].append(self.inline(token))
        return Table(tuple(rows[0]), tuple(tuple(row) for row in rows[1:]))

    def fence(self, token: Token) -> Block | None:
        name = token.info.split()[0] if token.info.split() else ""
        text = token.content.rstrip("\n")
        if name == "picture":
            return Picture(text)
        if name in ("listing", "columns", "demo"):
            try:
                return self.directive(name, token)
            except SourceError as error:
                self.faults.extend(error.faults)
            except ValueError as error:
                self.fault(token, str(error))
            return None
        if not name:
            self.fault(token, "a code block needs the name of its language")
        title = FENCE_TITLE.search(token.info)
        return Code(text, name, title[1] if title else "")

    def directive(self, name: str, token: Token) -> Block:
        if self.folder is None:
            raise ValueError(f"'{name}' can stand in a lesson only")
        first = self.first_line + (token.map[0] if token.map else 0) + 1
        source = parse_yaml(token.content, self.file, first)
        if name == "listing":
            return _code(source.validate(ListingFence, self.folder))
        if name == "columns":
            return Columns(tuple(map(_code, source.validate(ColumnsFence, self.folder).root)))
        fence = source.validate(DemoFence, self.folder)
        return Demo(fence.id, fence.file.path, fence.title, fence.edit)


def _code(fence: ListingFence) -> Code:
    text = fence.file.text.strip("\n") if fence.region is None else fence.file.region(fence.region)
    return Code(text, fence.file.language, fence.title)


def _groups(tokens: Sequence[Token]) -> Iterator[list[Token]]:
    """Give the tokens of each top-level block."""
    group: list[Token] = []
    depth = 0
    for token in tokens:
        group.append(token)
        depth += token.nesting
        if depth == 0:
            yield group
            group = []
