"""A picture of who stored what: each character is a piece of a tensor and names its program."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.render import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import RenderableType

    from triton_path.jobs.watch import LaunchReport, Ownership, Triple

SIGNS = digits + ascii_lowercase + ascii_uppercase
NOBODY, MARK = "·", "#"
COLOURS = ("cyan", "yellow", "green", "magenta", "blue", "red")
MOST_ROWS = 12
MOST_COLUMNS = 64
Cells = tuple[tuple[int, ...], ...]
Span = tuple[int, int]
Drawn = tuple[list[list[int]], list[int], str]
"""The owners of each line's characters, the number that labels it, and what one stands for."""


def pictures(launch: LaunchReport, width: int, program: int | None) -> list[RenderableType]:
    """Return a picture of each stored tensor; with `program` its part alone is marked."""
    x, y, z = launch.grid
    marked = program if program is not None and program < x * y * z else None
    return [picture(owned, launch.grid, width, marked) for owned in launch.ownership]


def picture(owned: Ownership, grid: Triple, width: int, program: int | None) -> RenderableType:
    """Return the picture of one tensor, at most `width` wide, with what its signs mean."""
    if not owned.cells or not owned.cells[0]:
        return Text(f" {owned.argument} is empty", theme.QUIET)
    head = Table.grid(padding=(0, 2, 0, 0))
    head.add_column(no_wrap=True)
    head.add_column()
    name = Text.assemble(" ", (owned.argument, theme.KEY), f"[{_shape(owned.shape)}]")
    head.add_row(name, Text(_legend(owned, grid, program), theme.QUIET))
    digits_wide = len(str(max(0, (owned.rows if owned.rows > 1 else owned.columns) - 1)))
    room = max(8, min(MOST_COLUMNS, width - digits_wide - 5))
    draw = _wrapped if owned.rows == 1 else _scaled
    rows, labels, scale = draw(owned, room, program)
    parts: list[RenderableType] = [head]
    for number, row in zip(labels, rows, strict=True):
        line = _row(row, grid, program)
        parts.append(Text.assemble((f"  {number:>{digits_wide}} ", theme.QUIET), line))
    if scale:
        parts.append(Text(f"  {'':>{digits_wide}} {scale}", theme.QUIET))
    return Group(*parts)


def _wrapped(owned: Ownership, room: int, program: int | None) -> Drawn:
    """Draw a tensor of one row as several lines, each labelled with its first element."""
    if room >= 16:
        room -= room % 16
    spans = pieces(len(owned.cells[0]), room * MOST_ROWS)
    shown = [_sign_of(owned.cells, (0, 1), span, program) for span in spans]
    starts = list(range(0, len(shown), room))
    each = owned.columns / len(shown)
    scale = "" if each == 1 else f"one character is {_count(each)} elements, by the middle one"
    lines = [shown[start : start + room] for start in starts]
    return lines, [int(start * each) for start in starts], scale


def _scaled(owned: Ownership, room: int, program: int | None) -> Drawn:
    """Draw a tensor of several rows in at most MOST_ROWS lines, labelled with rows."""
    rows = pieces(len(owned.cells), MOST_ROWS)
    columns = pieces(len(owned.cells[0]), room)
    down, across = owned.rows / len(rows), owned.columns / len(columns)
    scale = ""
    if (down, across) != (1, 1):
        scale = f"one character is {_count(down)} x {_count(across)} elements, by the middle one"
    lines = [[_sign_of(owned.cells, row, span, program) for span in columns] for row in rows]
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


def _sign_of(cells: Cells, rows: Span, columns: Span, program: int | None) -> int:
    """Return the owner in the middle of a piece; `program` where any of the piece is its own."""
    if program is not None and any(program in row[slice(*columns)] for row in cells[slice(*rows)]):
        return program
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


def triple(number: int, grid: Triple) -> Triple:
    """Return the program id of a position in the grid, the first axis fastest."""
    return number % grid[0], number // grid[0] % grid[1], number // (grid[0] * grid[1])


def id_text(number: int, grid: Triple) -> str:
    """Return a program id as it is written: no axis that the grid does not have."""
    axes = 3 if grid[2] > 1 else 2 if grid[1] > 1 else 1
    parts = triple(number, grid)[:axes]
    return str(parts[0]) if axes == 1 else f"({', '.join(map(str, parts))})"


def _legend(owned: Ownership, grid: Triple, program: int | None) -> str:
    if program is not None:
        return _part(owned, grid, program)
    everyone = {number for row in owned.cells for number in row}
    stored = sorted(everyone - {-1})
    words = f"last stored by program {id_text(stored[0], grid)}" if len(stored) == 1 else ""
    if len(stored) > 1:
        some = [f"{SIGNS[n % len(SIGNS)]} = program {id_text(n, grid)}" for n in stored[:2]]
        words = ", ".join(some) + (" ..." if len(stored) > 2 else "")
        if stored[-1] >= len(SIGNS):
            words += f"; signs repeat after {len(SIGNS)}"
    if -1 in everyone:
        words += f"{', ' if words else ''}{NOBODY} = stored by nobody"
    return words


def _part(owned: Ownership, grid: Triple, program: int) -> str:
    """Say which elements the picture shows to be the program's own."""
    rows = [number for number, row in enumerate(owned.cells) if program in row]
    columns = sorted(
        {place for row in owned.cells for place, owner in enumerate(row) if owner == program}
    )
    who = f"{MARK} = program {id_text(program, grid)}"
    if not rows:
        return f"program {id_text(program, grid)} stored nothing that is seen here"
    box = (rows[-1] + 1 - rows[0]) * (columns[-1] + 1 - columns[0])
    if sum(row.count(program) for row in owned.cells) < box:
        who += ", part of"
    else:
        who += ":"
    across = _range(columns[0], columns[-1], owned.columns, len(owned.cells[0]))
    if owned.rows == 1:
        return f"{who} elements {across}"
    down = _range(rows[0], rows[-1], owned.rows, len(owned.cells))
    return f"{who} row{'s' * ('.' in down)} {down}, column{'s' * ('.' in across)} {across}"


def _range(first: int, last: int, whole: int, cells: int) -> str:
    if whole == cells:
        return f"{first}..{last}" if first < last else str(first)
    return f"about {first * whole // cells}..{(last + 1) * whole // cells - 1}"


def _shape(shape: Sequence[int]) -> str:
    return ", ".join(map(str, shape))


def _count(value: float) -> str:
    return str(int(value)) if value == int(value) else f"about {value:.3g}"
