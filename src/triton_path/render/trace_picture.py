"""Pictures of who stored and loaded what: a character is a piece of a tensor, its program's sign.

With a program marked, all that it touched is marked; otherwise a piece names the last program that
stored to it, or the first that loaded it.
"""

from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.trace_owners import (
    MARK,
    NO_PROGRAM,
    NOBODY,
    SIGNS,
    id_text,
    legend,
    tiles_of,
    triple,
)

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.jobs.watch import LaunchReport, Ownership, Triple

COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red")
MOST_ROWS = 12
FEWER_ROWS = 4
"""Lines of a tensor of one row that is scaled down in any case."""
MOST_COLUMNS = 64
Cells = tuple[tuple[int, ...], ...]
Span = tuple[int, int]
Drawn = tuple[list[list[int]], list[int], str]
"""The owners of each line's characters, the number that labels it, and what one stands for."""


def pictures(launch: LaunchReport, width: int, program: int | None) -> list[RenderableType]:
    """Return a picture of each tensor that was stored to, then of those that were loaded.

    With `program` its part alone is marked.
    """
    marked = program if program is not None and has_run(launch, program) else None
    stored = {it.argument: it.cells for it in launch.ownership if it.access == "store"}
    return [
        picture(owned, launch.grid, width, marked)
        for owned in launch.ownership
        if owned.access == "store" or not _says_nothing_new(owned, stored)
    ]


def _says_nothing_new(owned: Ownership, stored: Mapping[str, Cells]) -> bool:
    """Whether what was loaded is one element, or looks as what was stored to the same tensor."""
    return owned.rows * owned.columns <= 1 or owned.cells == stored.get(owned.argument)


def has_run(launch: LaunchReport, program: int) -> bool:
    """Whether the grid has `program` and it was run, or would have been but for a fault."""
    whole = launch.extrapolated
    return program < prod(launch.grid) and (whole is None or program in whole.ids)


def touched_nothing(launch: LaunchReport, program: int) -> str:
    """Say why `program` is in no picture."""
    if program >= prod(launch.grid):
        return f"there is no program {program} in this grid"
    who = f"program {id_text(program, launch.grid)}"
    if not has_run(launch, program):
        return f"{who} did not run"
    return f"{who} touched nothing before the launch ended"


def picture(owned: Ownership, grid: Triple, width: int, program: int | None) -> RenderableType:
    """Return the picture of one tensor, at most `width` wide, with what its signs mean."""
    if not owned.cells or not owned.cells[0]:
        return Text(f" {owned.argument} is empty", theme.QUIET)
    head = Table.grid(padding=(0, 2, 0, 0))
    head.add_column(no_wrap=True)
    head.add_column()
    name = Text.assemble(
        " ", (owned.argument, theme.KEY), f"[{_shape(owned.shape)}] ",
        ("stored" if owned.access == "store" else "loaded", theme.ACCENT),
    )  # fmt: skip
    head.add_row(name, Text(legend(owned, grid, program), theme.QUIET))
    digits_wide = len(str(max(0, (owned.rows if owned.rows > 1 else owned.columns) - 1)))
    room = max(8, min(MOST_COLUMNS, width - digits_wide - 5))
    draw = _wrapped if owned.rows == 1 else _scaled
    cells = owned.cells if program is None else marked_cells(owned, program)
    rows, labels, scale = draw(owned, cells, room, program)
    parts: list[RenderableType] = [head]
    for number, row in zip(labels, rows, strict=True):
        line = _row(row, grid, program)
        parts.append(Text.assemble((f"  {number:>{digits_wide}} ", theme.QUIET), line))
    if scale:
        parts.append(Padding(Text(scale, theme.QUIET), (0, 0, 0, digits_wide + 3)))
    return Group(*parts)


def marked_cells(owned: Ownership, program: int) -> Cells:
    """Return the cells with all that `program` touched as its own."""
    rows = [list(row) for row in owned.cells]
    for tile in tiles_of(owned, program):
        for row in rows[tile.rows[0] : tile.rows[1] + 1]:
            for first, last in tile.columns:
                row[first : last + 1] = [program] * (last + 1 - first)
    return tuple(map(tuple, rows))


def _wrapped(owned: Ownership, cells: Cells, room: int, program: int | None) -> Drawn:
    """Draw a tensor of one row as several lines, each labelled with its first element."""
    if room >= 16:
        room -= room % 16
    rows = MOST_ROWS if owned.columns <= room * MOST_ROWS else FEWER_ROWS
    spans = pieces(len(cells[0]), room * rows)
    shown = [_sign_of(cells, (0, 1), span, program, any_=owned.sampled) for span in spans]
    starts = list(range(0, len(shown), room))
    each = owned.columns / len(shown)
    scale = "" if each == 1 else f"one character is {_count(each)} elements, {_by(owned)}"
    lines = [shown[start : start + room] for start in starts]
    return lines, [int(start * each) for start in starts], scale


def _by(owned: Ownership) -> str:
    return "by any program that ran" if owned.sampled else "by the middle one"


def _scaled(owned: Ownership, cells: Cells, room: int, program: int | None) -> Drawn:
    """Draw a tensor of several rows in at most MOST_ROWS lines, labelled with rows."""
    rows = pieces(len(cells), MOST_ROWS)
    columns = pieces(len(cells[0]), room)
    down, across = owned.rows / len(rows), owned.columns / len(columns)
    scale = ""
    if (down, across) != (1, 1):
        scale = f"one character is {_count(down)} x {_count(across)} elements, {_by(owned)}"
    lines = [
        [_sign_of(cells, row, span, program, any_=owned.sampled) for span in columns]
        for row in rows
    ]
    return lines, [int(number * down) for number in range(len(rows))], scale


def pieces(size: int, most: int) -> list[Span]:
    """Cut range(size) into at most `most` pieces of one length, or nearly.

    Of one length is preferred, even if they are fewer: edges of tiles then stay straight.
    """
    if size <= most:
        return [(number, number + 1) for number in range(size)]
    even = [count for count in range((most + 1) // 2, most + 1) if size % count == 0]
    count = even[-1] if even else most
    return [(n * size // count, (n + 1) * size // count) for n in range(count)]


def _sign_of(cells: Cells, rows: Span, columns: Span, program: int | None, *, any_: bool) -> int:
    """Return the owner in the middle of a piece; `program` where any of the piece is its own.

    With `any_` the first owner that any of the piece has.
    """
    piece = [row[slice(*columns)] for row in cells[slice(*rows)]]
    if program is not None and any(program in row for row in piece):
        return program
    if any_:
        return next((cell for row in piece for cell in row if cell != NO_PROGRAM), NO_PROGRAM)
    return cells[(rows[0] + rows[1]) // 2][(columns[0] + columns[1]) // 2]


def _row(owners: Sequence[int], grid: Triple, program: int | None) -> Text:
    line = Text("▏", theme.QUIET)
    for number in owners:
        if number < 0:
            line.append(NOBODY, theme.QUIET)
        elif program is None:
            line.append(SIGNS[number % len(SIGNS)], f"reverse {colour(number, grid)}")
        elif number == program:
            line.append(MARK, f"reverse {colour(number, grid)}")
        else:
            line.append(SIGNS[number % len(SIGNS)], theme.QUIET)
    line.append("▕", theme.QUIET)
    return line


def colour(number: int, grid: Triple) -> str:
    """Return a program's colour; neighbours along any axis of the grid have different ones."""
    x, y, z = triple(number, grid)
    return COLOURS[(x + 2 * y + 3 * z) % len(COLOURS)]


def _shape(shape: Sequence[int]) -> str:
    return ", ".join(map(str, shape))


def _count(value: float) -> str:
    if value == int(value):
        return str(int(value))
    return f"about {value:.0f}" if value >= 100 else f"about {value:.3g}"
