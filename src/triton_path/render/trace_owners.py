"""Programs in a picture of tiles: their signs and ids, and the legend in words."""

from __future__ import annotations

from string import ascii_lowercase, ascii_uppercase, digits
from typing import TYPE_CHECKING

from triton_path.jobs.watch import Tile

if TYPE_CHECKING:
    from triton_path.jobs.watch import Ownership, Triple

SIGNS = digits + ascii_lowercase + ascii_uppercase
NO_PROGRAM = -1
NOBODY, MARK = "·", "#"


def tiles_of(owned: Ownership, program: int) -> tuple[Tile, ...]:
    """Return what `program` touched; of one whose tiles were not kept, the cells that name it."""
    if program in owned.tiles:
        return owned.tiles[program]
    found = []
    for number, row in enumerate(owned.cells):
        columns = [place for place, cell in enumerate(row) if cell == program]
        if columns:
            spans = tuple((place, place) for place in columns)
            found.append(Tile(rows=(number, number), columns=spans))
    return tuple(found)


def triple(number: int, grid: Triple) -> Triple:
    """Return the program id of a position in the grid, the first axis fastest."""
    return number % grid[0], number // grid[0] % grid[1], number // (grid[0] * grid[1])


def id_text(number: int, grid: Triple) -> str:
    """Return a program id as it is written: no axis that the grid does not have."""
    axes = 3 if grid[2] > 1 else 2 if grid[1] > 1 else 1
    parts = triple(number, grid)[:axes]
    return str(parts[0]) if axes == 1 else f"({', '.join(map(str, parts))})"


def legend(owned: Ownership, grid: Triple, program: int | None) -> str:
    """Say what the signs of a picture mean, or what is the part of `program`."""
    if program is not None:
        return _part(owned, grid, program)
    everyone = {number for row in owned.cells for number in row}
    known = sorted(everyone - {NO_PROGRAM})
    which = "last" if owned.access == "store" else "first"
    words = f"{which} by program {id_text(known[0], grid)}" if len(known) == 1 else ""
    if len(known) > 1:
        some = [f"{SIGNS[n % len(SIGNS)]} = program {id_text(n, grid)}" for n in known[:2]]
        words = f"{which} by: {', '.join(some)}" + (" ..." if len(known) > 2 else "")
        if len({number % len(SIGNS) for number in known}) < len(known):
            words += f"; signs repeat after {len(SIGNS)}"
    words += _shared(owned)
    if NO_PROGRAM in everyone:
        nobody = "none that ran" if owned.sampled else "nobody"
        words += f"{', ' if words else ''}{NOBODY} = {nobody}"
    return words


def _shared(owned: Ownership) -> str:
    """Say how many programs loaded each piece, if more than one did."""
    if owned.access == "store" or owned.sampled:
        return ""
    programs = [[0] * len(owned.cells[0]) for _ in owned.cells]
    for tiles in owned.tiles.values():
        for tile in tiles:
            for row in programs[tile.rows[0] : tile.rows[1] + 1]:
                for first, last in tile.columns:
                    row[first : last + 1] = [n + 1 for n in row[first : last + 1]]
    loaded = {count for row in programs for count in row if count}
    if not loaded or max(loaded) == 1:
        return ""
    most = max(loaded)
    return f"; each by {most} programs" if len(loaded) == 1 else f"; by up to {most} programs"


def _part(owned: Ownership, grid: Triple, program: int) -> str:
    """Say which elements the picture shows to be the program's own."""
    tiles = tiles_of(owned, program)
    done = "stored" if owned.access == "store" else "loaded"
    if not tiles:
        return f"program {id_text(program, grid)} {done} nothing that is seen here"
    rows = tiles[0].rows[0], tiles[-1].rows[1]
    columns = (
        min(tile.columns[0][0] for tile in tiles),
        max(tile.columns[-1][1] for tile in tiles),
    )
    cells = sum(
        (tile.rows[1] + 1 - tile.rows[0]) * sum(last + 1 - first for first, last in tile.columns)
        for tile in tiles
    )
    whole = cells == (rows[1] + 1 - rows[0]) * (columns[1] + 1 - columns[0])
    who = f"{MARK} = program {id_text(program, grid)}{':' if whole else ', part of'}"
    across = _range(*columns, owned.columns, len(owned.cells[0]))
    if owned.rows == 1:
        return f"{who} elements {across}"
    down = _range(*rows, owned.rows, len(owned.cells))
    return f"{who} row{'s' * ('.' in down)} {down}, column{'s' * ('.' in across)} {across}"


def _range(first: int, last: int, whole: int, cells: int) -> str:
    if whole == cells:
        return f"{first}..{last}" if first < last else str(first)
    near = f", give or take {-(-whole // cells) - 1}" if first or last + 1 < cells else ""
    return f"{first * whole // cells}..{(last + 1) * whole // cells - 1}{near}"
