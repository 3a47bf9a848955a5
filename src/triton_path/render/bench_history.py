"""Runs that were kept, and two of them side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.bench_notes import labelled
from triton_path.render.bench_tables import NAME_COLUMNS, WIDE_COLUMNS, microseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from triton_path.tutor.bench_compare import Comparison, Row
    from triton_path.tutor.bench_history import Kept

SHOWN = 20


def render_history(kept: Sequence[Kept], unread: int, folder: str, width: int) -> RenderableType:
    """Return the newest runs, a line each."""
    if not kept:
        next_one = Text("triton-path bench fused-transformer", theme.ACCENT)
        return Group(Text(" No run was kept yet."), labelled("Next", next_one))
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("date", no_wrap=True)
    table.add_column("bench", no_wrap=True, overflow="ellipsis")
    table.add_column("device", no_wrap=True, overflow="ellipsis")
    table.add_column("sizes", justify="right", no_wrap=True)
    if width >= WIDE_COLUMNS:
        table.add_column("checks", no_wrap=True)
    for run in kept[-SHOWN:]:
        report = run.report
        device = report.device.name if report.device.kind == "gpu" else "no GPU"
        name = report.bench + (" backward" if report.case.backward else "")
        date = report.date[:16].replace("T", " ") if width >= WIDE_COLUMNS else report.date[5:10]
        cells = [str(run.number), date, name, device, str(len(report.shapes))]
        if width >= WIDE_COLUMNS:
            good = not report.faults
            sign = theme.RIGHT_SIGN if good else f"{theme.WRONG_SIGN} {len(report.faults)} failed"
            cells.append(sign)
        table.add_row(*cells)
    parts: list[RenderableType] = [table, Text("")]
    if len(kept) > SHOWN:
        parts.append(labelled("older", f"{len(kept) - SHOWN} more runs in {folder}"))
    if unread:
        parts.append(labelled("note", f"{unread} files of another version are not shown."))
    last = kept[-1].number
    words = f"triton-path bench compare {max(1, last - 1)} {last}"
    parts.append(labelled("Next", Text(words, theme.ACCENT)))
    return Group(*parts)


def render_comparison(found: Comparison, width: int) -> RenderableType:
    """Return every time of both runs, and how they differ."""
    one, two = found.before.report, found.after.report
    where = one.device.name if one.device.kind == "gpu" else "this kind of CPU"
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    table.add_column("", min_width=NAME_COLUMNS, no_wrap=True)
    if width >= WIDE_COLUMNS or len({row.size for row in found.rows}) > 1:
        table.add_column("rows x width", no_wrap=True)
    for heading in ("A us", "B us", "B is"):
        table.add_column(heading, justify="right", no_wrap=True)
    for row in found.rows:
        cells = [row.name]
        if len(table.columns) == 5:
            cells.append(row.size)
        cells += [microseconds(row.before.value), microseconds(row.after.value), _said(row)]
        table.add_row(*cells)
    changed = "; ".join(found.differences) or "nothing: versions, driver and clocks are the same"
    return Group(
        Text.assemble(" ", (one.bench, theme.TITLE), f"  {one.case.dtype}, {where}"),
        labelled("A", one.date[:19].replace("T", " ")),
        labelled("B", two.date[:19].replace("T", " ")),
        table,
        labelled("changed", changed),
        labelled("noise", "`the same` where the spreads (p20 .. p80) of both runs overlap"),
    )


def _said(row: Row) -> str:
    if not row.apart:
        return "the same"
    faster = row.ratio >= 1
    return f"{row.ratio:.2f}x faster" if faster else f"{1 / row.ratio:.2f}x slower"
