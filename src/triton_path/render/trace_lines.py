"""The lines of a kernel that touch memory, beside what they asked of it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.trace_faults import is_mild, name_of
from triton_path.render.trace_words import about, bytes_text, notes_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from triton_path.jobs.watch import Fault, LaunchReport, LineCount, Place

POOR = 0.5
"""Share of a sector from which on down it is shown as a fault of the access."""


def line_table(launch: LaunchReport, faults: Sequence[Fault]) -> RenderableType:
    """Return a row for each access, with what stands out and its `faults` below it."""
    whole = launch.extrapolated
    run = "" if whole is None else f"counted in {whole.programs} of {whole.grid_programs} programs"
    heads = ("line", run, f"{about(launch)}bytes", "sectors", "reads")
    parts = [_row(*(Text(word, theme.QUIET) for word in heads))]
    for place, line in enumerate(launch.lines):
        source = Text(expression_of(line, launch))
        number = Text(str(line.place.line), theme.QUIET)
        moved = line.bytes_used if whole is None else whole.lines[place].bytes_used
        size = Text(f"{about(launch)}{bytes_text(moved)}")
        parts.append(_row(number, source, size, _sectors(line), Text(_read(line, launch))))
        here = [f for f in faults if f.place is not None and _same(f.place, line.place)]
        parts += [_below(name_of(f), theme.NOTE if is_mild(f) else theme.WRONG) for f in here]
        parts += [_below(note, theme.NOTE) for note in notes_of(line, launch)]
    return Group(*parts)


def _row(*cells: Text) -> RenderableType:
    """Return one row; of fixed widths, so that rows of their own stand below one another."""
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(justify="right", no_wrap=True, width=5)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    for width in (8, 7, 5):
        grid.add_column(justify="right", no_wrap=True, width=width)
    grid.add_row(*cells)
    return grid


def _below(words: str, style: str) -> RenderableType:
    return Text(f"{'':6}╰ {words}", style, no_wrap=True, overflow="ellipsis")


def _same(one: Place, other: Place) -> bool:
    return (one.file, one.line, one.column) == (other.file, other.line, other.column)


def expression_of(line: LineCount, launch: LaunchReport) -> str:
    """Return the source line of an access; the access alone where its line has several."""
    place = line.place
    same = [other for other in launch.lines if (other.place.file, other.place.line) ==
            (place.file, place.line)]  # fmt: skip
    if len(same) == 1:
        return place.source.strip()
    if place.column is None or place.end_line != place.line:
        return f"{place.source.strip()}  ({line.access} {line.argument})"
    return place.source[place.column : place.end_column]


def _sectors(line: LineCount) -> Text:
    used = line.sector_efficiency
    if used is None:
        return Text("")
    scalar = line.active_lanes <= line.executions
    poor = used <= POOR and not scalar
    return Text(f"{100 * used:.0f} %", theme.NOTE if poor else theme.QUIET if scalar else "")


def _read(line: LineCount, launch: LaunchReport) -> str:
    """Return how often the kernel read each element of the argument, all lines together."""
    if line.access != "load" or launch.extrapolated is not None:
        return ""
    times = next(a.redundancy for a in launch.arguments if a.name == line.argument)
    return "" if times is None else f"{times:.3g}x"
