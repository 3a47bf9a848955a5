"""A kernel's source with what each line became, and the compiler's listings."""

from __future__ import annotations

from difflib import unified_diff
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.blocks import code
from triton_path.render.inspect import BASIS, heading, line, rejected
from triton_path.render.inspect_words import kinds_text

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from triton_path.jobs.inspect import Compiled, InspectReport, LineCount

LEXERS = {
    "ttir": "llvm",
    "ttgir": "llvm",
    "llir": "llvm",
    "ptx": "ptx",
    "sass": "sass",
    "amdgcn": "amdgpu",
}
"""Pygments has no lexer for MLIR; LLVM's is the nearest."""


def render_lines(report: InspectReport) -> RenderableType:
    """Return the source lines of each build with their instructions."""
    parts: list[RenderableType] = [heading(report)]
    for build in report.builds:
        if len(report.builds) > 1:
            parts += [Text(""), Text(f" {build.build.label}", theme.TITLE)]
        if build.rejection is not None:
            parts.append(rejected(build.rejection, build.build.label))
        elif build.facts is not None:
            parts += _functions(build.facts.lines, report)
            if not build.facts.lines:
                parts.append(line("lines", "no line of the file is known for the code"))
        parts += [line("note", note) for note in build.notes]
    helped = "What a called function becomes counts at the line that calls it too; "
    parts += [Text(""), line("basis", Text(helped + BASIS, theme.QUIET))]
    return Group(*parts)


def _functions(lines: Sequence[LineCount], report: InspectReport) -> list[RenderableType]:
    """Return a table for each function, the kernel first."""
    parts: list[RenderableType] = []
    groups = [
        (file, function, list(items))
        for (file, function), items in groupby(lines, lambda x: (x.place.file, x.function))
    ]
    groups.sort(key=lambda group: group[1] != report.kernel)
    for file, function, items in groups:
        title = Text.assemble(
            f" {function or 'outside of a kernel'}", (f"  {Path(file).name}", "dim")
        )
        parts += [Text(""), title, _table(items)]
    return parts


def _table(items: Sequence[LineCount]) -> Table:
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(justify="right", no_wrap=True, width=5)
    grid.add_column(justify="right", no_wrap=True, width=4)
    grid.add_column(ratio=1)
    margin = _margin(items)
    for item in items:
        source = item.place.source[margin:]
        shown = Text(source, no_wrap=True, overflow="ellipsis")
        grid.add_row(Text(str(item.place.line), theme.QUIET), str(item.total), shown)
        indent = len(source) - len(source.lstrip()) + 2
        words = Text(kinds_text(item.kinds), theme.QUIET)
        grid.add_row("", "", Padding(words, (0, 0, 0, indent)))
    return grid


def _margin(items: Sequence[LineCount]) -> int:
    sources = [item.place.source for item in items if item.place.source.strip()]
    return min((len(s) - len(s.lstrip()) for s in sources), default=0)


def listing(report: InspectReport, show: str, *, colour: bool) -> Text:
    """Return a listing, highlighted where there is colour; of several builds, what differs."""
    shown = [build for build in report.builds if build.listing is not None]
    if len(shown) < 2:
        return code(shown[0].listing or "", LEXERS[show], colour=colour) if shown else Text()
    return Text("\n").join(
        code(_difference(shown[0], other, show), "diff", colour=colour) for other in shown[1:]
    )


def _difference(first: Compiled, other: Compiled, show: str) -> str:
    assert first.listing is not None
    assert other.listing is not None
    names = (f"{show} {first.build.label}", f"{show} {other.build.label}")
    lines = unified_diff(
        first.listing.splitlines(), other.listing.splitlines(), *names, lineterm=""
    )
    return "\n".join(lines) or f"# {show} is the same: {first.build.label}, {other.build.label}"
