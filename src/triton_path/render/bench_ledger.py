"""The ledger of the eager chain: one row an operation, and what could be one kernel."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.bench_notes import labelled
from triton_path.render.bench_tables import WIDE_COLUMNS, microseconds, quantity

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.ledger import Ledger, LedgerRow, OpKind, Part

COSTLIEST = 3
KERNEL_COLUMNS, FEWEST_COLUMNS = 27, 10
"""Of a kernel's name: at most, and where there is less room none is shown."""
OP_COLUMNS = 22
OTHER_COLUMNS = 54
"""What all other columns take together."""
MARKS: dict[OpKind, str] = {
    "elementwise": " ",
    "reduction": "r",
    "whole reduction": "R",
    "matrix product": "M",
    "other": "?",
}
LEGEND = {
    "r": "reduces along a row",
    "R": "reduces over all rows",
    "M": "matrix product",
    "?": "not known to fuse",
}


def short_ledger(ledger: Ledger) -> str:
    """Return the costliest operations in a line."""
    rows = sorted(ledger.rows, key=lambda row: -row.share)[:COSTLIEST]
    names = ", ".join(f"{row.op} {100 * row.share:.0f} %" for row in rows)
    of = "time, measured" if ledger.measured else "bytes, counted"
    return f"costliest of eager: {names} of the {of}; --ledger shows all {len(ledger.rows)}"


def ledger_parts(ledger: Ledger, width: int) -> list[RenderableType]:
    """Return the whole ledger for a window of `width` columns."""
    basis = "counted and predicted from the bytes"
    if ledger.measured:
        basis = f"bytes counted, time measured by the profiler (median of {ledger.runs} runs)"
    elif ledger.rows and ledger.rows[0].time is None:
        basis = "bytes counted"
    parts: list[RenderableType] = [
        labelled("ledger", f"the eager chain, operation by operation: {basis}"),
        _table(ledger, width),
        Padding(Text(_legend(ledger), theme.QUIET), (0, 0, 0, 1)),
    ]
    parts += [labelled("fuse", _part_text(ledger, part)) for part in ledger.parts]
    if ledger.note:
        parts.append(labelled("note", Text(ledger.note, theme.NOTE)))
    return parts


def _table(ledger: Ledger, width: int) -> Table:
    wide = width >= WIDE_COLUMNS
    longest = max(min(len(row.op), OP_COLUMNS) for row in ledger.rows)
    room = min(KERNEL_COLUMNS, width - OTHER_COLUMNS - longest)
    named = wide and room >= FEWEST_COLUMNS and any(row.kernels for row in ledger.rows)
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    table.add_column("", justify="right", no_wrap=True)
    table.add_column("operation", no_wrap=True, overflow="crop", max_width=OP_COLUMNS)
    table.add_column("", no_wrap=True)
    if named:
        table.add_column("kernel", no_wrap=True)
    for heading in ("read", "written", "us", "share", *(("sum",) if wide else ())):
        table.add_column(heading, justify="right", no_wrap=True)
    for number, row in enumerate(ledger.rows, start=1):
        cells = [str(number), row.op, MARKS[row.op_kind]]
        if named:
            cells.append(_kernels(row, room))
        cells += [
            _bytes(row.read),
            _bytes(row.written),
            microseconds(row.time.value) if row.time is not None else "-",
            f"{100 * row.share:.0f} %",
        ]
        if wide:
            cells.append(f"{100 * row.cumulative:.0f} %")
        table.add_row(*cells)
    return table


def _bytes(value: int | None) -> str:
    return "-" if value is None else quantity(value)


def _kernels(row: LedgerRow, room: int) -> str:
    if not row.kernels:
        return "-"
    more = f" +{len(row.kernels) - 1}" if len(row.kernels) > 1 else ""
    return row.kernels[0][: room - len(more)] + more


def _legend(ledger: Ledger) -> str:
    found = {MARKS[row.op_kind] for row in ledger.rows}
    told = [f"{mark}: {words}" for mark, words in LEGEND.items() if mark in found]
    return "; ".join(told) or "every operation is elementwise"


def _part_text(ledger: Ledger, part: Part) -> str:
    last = part.first + part.ops
    which = f"{part.first + 1} to {last}" if part.ops > 1 else f"{last}"
    if not part.fusable:
        return f"{which} alone: {part.why}"
    end = f"; ends where {part.why}" if part.why else ""
    if part.ops == 1:
        return f"{which}: one kernel, {quantity(part.bytes_now)}{end}"
    return (
        f"{which} could be one kernel: {quantity(part.bytes_now)} -> "
        f"{quantity(part.bytes_fused)}{end}"
    )
