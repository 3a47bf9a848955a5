"""A picture of wrong values: what was expected, what came, and where the two differ."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.cells import cell_len
from rich.padding import Padding
from rich.text import Text

from triton_path.render import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from triton_path.jobs.practice import Cell, Mismatch

MOST_ROWS = 8
INDENT = 3
GAP = 3
"""Columns between two cells: one is free, one has the sign of a wrong value, one parts the two."""
LABELS = ("expected", "yours")
LONG_LABELS = 34
"""Columns from which on there is room for a label with the number of a row and a word."""


def picture(mismatch: Mismatch, width: int) -> RenderableType:
    """Return the cells around the first wrong one, as many as fit `width`."""
    if not mismatch.cells or not mismatch.cells[0]:
        return Text()
    if len(mismatch.cells) == 1:
        lines = _vector(mismatch, width - INDENT)
    else:
        lines = _matrix(mismatch, width - INDENT)
    return Padding(Text("\n").join(lines), (0, 0, 0, INDENT))


def _vector(mismatch: Mismatch, width: int) -> list[Text]:
    """Return the numbers of the columns, what was expected and what came, below one another."""
    cells = mismatch.cells[0]
    label_width = max(map(len, (mismatch.output, *LABELS)))
    shown = _fitting(mismatch, [cells], width - label_width)
    lines = [_header(mismatch, shown, label_width)]
    expected = Text(f"{LABELS[0]:<{label_width}}", theme.QUIET)
    got = Text(f"{LABELS[1]:<{label_width}}", theme.QUIET)
    for at, size in shown:
        expected.append(f"{cells[at].expected:>{size + GAP}}", theme.QUIET)
        got.append_text(_value(cells[at], size))
    return [*lines, expected, got]


def _matrix(mismatch: Mismatch, width: int) -> list[Text]:
    """Return what came, row by row, and below the first wrong row what it should be."""
    first = next((n for n, row in enumerate(mismatch.cells) if any(c.wrong for c in row)), 0)
    begin = max(0, min(first - MOST_ROWS // 2, len(mismatch.cells) - MOST_ROWS))
    rows = list(enumerate(mismatch.cells))[begin : begin + MOST_ROWS]
    names = [f"row {_row_number(mismatch, number)}" for number, _ in rows]
    wanted = f"{names[first - begin]} {LABELS[0]}" if width >= LONG_LABELS else LABELS[0]
    label_width = max(map(len, (mismatch.output, *names, wanted)))
    shown = _fitting(mismatch, [row for _, row in rows], width - label_width)
    lines = [_header(mismatch, shown, label_width)]
    for name, (number, row) in zip(names, rows, strict=True):
        line = Text(f"{name:<{label_width}}", theme.QUIET)
        for at, size in shown:
            line.append_text(_value(row[at], size))
        lines.append(line)
        if number == first:
            line = Text(f"{wanted:<{label_width}}", theme.QUIET)
            for at, size in shown:
                line.append(f"{row[at].expected:>{size + GAP}}", theme.QUIET)
            lines.append(line)
    return lines


def _header(mismatch: Mismatch, shown: Sequence[tuple[int, int]], label_width: int) -> Text:
    line = Text(f"{mismatch.output:<{label_width}}", theme.KEY)
    for at, size in shown:
        line.append(f"{f'[{_column_number(mismatch, at)}]':>{size + GAP}}", theme.QUIET)
    return line


def _value(cell: Cell, size: int) -> Text:
    """Return a value of the learner's, with a sign before it where it is wrong."""
    if not cell.wrong:
        return Text(f"{cell.got:>{size + GAP}}")
    marked = f"{theme.WRONG_SIGN} {cell.got}"
    return Text(f"{marked:>{size + GAP}}", theme.WRONG)


def _row_number(mismatch: Mismatch, at: int) -> int:
    return mismatch.rows[at] if at < len(mismatch.rows) else at


def _column_number(mismatch: Mismatch, at: int) -> int:
    return mismatch.columns[at] if at < len(mismatch.columns) else at


def _fitting(
    mismatch: Mismatch, rows: Sequence[Sequence[Cell]], room: int
) -> list[tuple[int, int]]:
    """Return the columns that fit `room`, with the width of each, around the first wrong one."""
    count = min(map(len, rows))
    sizes = []
    for at in range(count):
        words = [word for row in rows for word in (row[at].got, row[at].expected)]
        sizes.append(max(map(cell_len, (f"[{_column_number(mismatch, at)}]", *words))))
    numbers = [_column_number(mismatch, at) for at in range(count)]
    wanted = mismatch.first[-1] if mismatch.first else 0
    first = numbers.index(wanted) if wanted in numbers else 0
    # One column before the first wrong one, those behind it, then further to the left.
    shown: list[int] = []
    for at in [first, *range(first - 1, -1, -1)[:1], *range(first + 1, count),
               *range(first - 2, -1, -1)]:  # fmt: skip
        if sum(sizes[n] + GAP for n in [*shown, at]) > room and shown:
            break
        shown.append(at)
    return [(at, sizes[at]) for at in sorted(shown)]
