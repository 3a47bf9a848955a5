"""One finding of a verdict: where, what, why it matters, what to try, and what it looks like."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.trace_faults import excerpt
from triton_path.render.trace_faults import verdict as seen_by_the_watch
from triton_path.render.verdict_picture import picture
from triton_path.render.verdict_words import name_of, patterns_text, where
from triton_path.terminal.safe_text import harmless

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.jobs.inspect import Rejection
    from triton_path.jobs.practice import Diagnosis, Finding

MOST_TRACEBACK = 12
"""Lines of a traceback that are shown, its last ones."""


def in_full(
    finding: Finding, sources: Mapping[str, Sequence[str]], width: int, read: str = ""
) -> RenderableType:
    """Return a finding with all that is known of it, and what to `read` again.

    `sources` has the lines of its files.
    """
    parts: list[RenderableType] = []
    if finding.fault is not None:
        parts.append(seen_by_the_watch(finding.fault, sources))
    else:
        parts += [title(finding), *_source(finding, sources), Text("")]
        parts += _said(finding, width)
    if finding.diagnosis is not None:
        parts += [Text(""), _looks_like(finding.diagnosis, read)]
    return Group(*parts)


def in_short(finding: Finding) -> RenderableType:
    """Return a finding in a line or two."""
    return Group(title(finding), _indented(harmless(finding.sentence)))


def title(finding: Finding) -> RenderableType:
    """Return the sign, the kind of the finding in words, and where it is."""
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True)
    style = f"bold {theme.NOTE if finding.advice else theme.WRONG}"
    grid.add_row(Text(f" {name_of(finding)}", style), Text(f"{where(finding)} ", theme.QUIET))
    return grid


def _said(finding: Finding, width: int) -> list[RenderableType]:
    parts = [_indented(harmless(finding.sentence))]
    mismatch = finding.mismatch
    if mismatch is not None:
        if mismatch.patterns:
            parts.append(_indented(Text(patterns_text(mismatch.patterns), theme.NOTE)))
        parts += [Text(""), picture(mismatch, width), Text("")]
    if finding.why:
        parts.append(_indented(harmless(finding.why)))
    if finding.remedy:
        parts.append(_indented(Text.assemble(("Try: ", theme.KEY), harmless(finding.remedy))))
    if isinstance(parts[-1], Text) and not parts[-1].plain:
        del parts[-1]
    return parts


def _source(finding: Finding, sources: Mapping[str, Sequence[str]]) -> list[RenderableType]:
    """Return the line at fault, or the calls that led there."""
    if finding.traceback:
        lines = harmless(finding.traceback).rstrip().splitlines()[-MOST_TRACEBACK:]
        shown = [Text(f"   {line}", no_wrap=True, overflow="ellipsis") for line in lines]
        return [Text(""), *shown]
    if finding.place is not None:
        return [Text(""), excerpt(finding.place, sources)]
    if finding.rejection is not None:
        return _rejected(finding.rejection)
    return []


def _rejected(rejection: Rejection) -> list[RenderableType]:
    """Return the line at which the compiler stopped."""
    place = rejection.place
    if place is None:
        return []
    blank = len(place.source) - len(place.source.lstrip())
    text = Text(no_wrap=True, overflow="ellipsis")
    text.append(f"   {place.line:>4} │ ", theme.QUIET)
    text.append(place.source[blank:])
    if rejection.column is not None and rejection.column >= blank:
        text.append("\n        │ ", theme.QUIET)
        text.append(" " * (rejection.column - blank) + "╰─", theme.WRONG)
    return [Text(""), text]


def _looks_like(diagnosis: Diagnosis, read: str) -> RenderableType:
    """Return a mistake by its name, and what to read again."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    grid.add_row(Text("   This looks like", theme.KEY), harmless(diagnosis.name))
    if read:
        grid.add_row(Text("   Read again", theme.KEY), harmless(read))
    return grid


def _indented(text: Text | str) -> RenderableType:
    return Padding(text if isinstance(text, Text) else Text(text), (0, 1, 0, 3))
