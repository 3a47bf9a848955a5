"""The tiles of one tensor in a figure: a colour, a hatching and a number for each program."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import Rectangle
from matplotlib.ticker import MaxNLocator

from triton_path.render.trace_owners import NO_PROGRAM, id_text, tiles_of, triple

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from matplotlib.axes import Axes

    from triton_path.jobs.watch import LaunchReport, Ownership, Triple

FILLS = ("#9ecae1", "#fdd0a2", "#c7e9c0", "#dadaeb", "#fff7bc", "#f4b6c2")
"""Light enough to read a number on."""
HATCHES = ("", "///", "...", "\\\\\\", "|||", "---")
INCHES_WIDE = 5.6
"""About how wide the axes become; the height is `tallness`."""
MOST_HATCHED = 150
"""Rectangles from which on hatching is noise."""
ROOM = 0.8
"""Inches of that for title, ticks and labels."""
Box = tuple[float, float, float, float]
"""Top, bottom, left, right; in elements."""
CHARACTER_INCHES, LINE_INCHES = 0.085, 0.14


def tallness(owned: Ownership) -> float:
    """Return the height in inches that a picture should have, its title and ticks included."""
    return 1.35 if owned.rows == 1 else 2.7


def draw_tiles(axes: Axes, owned: Ownership, launch: LaunchReport, program: int | None) -> None:
    """Draw who stored or loaded what, in elements; outline what `program` touched."""
    which = "last stored by program" if owned.access == "store" else "first loaded by program"
    shape = ", ".join(map(str, owned.shape))
    sampled = ", of those that ran" if owned.sampled else ""
    axes.set_title(f"{owned.argument}[{shape}]: {which}{sampled}")
    cells = owned.cells
    if not cells or not cells[0]:
        axes.axis("off")
        return
    down, across = owned.rows / len(cells), owned.columns / len(cells[0])
    found = list(rectangles(cells))
    for number, *edges in found:
        _draw_one(axes, number, _scaled(edges, down, across), launch.grid, hatched=len(found))
    if program is not None:
        _outline(axes, owned, program, down, across)
    places = [(number, _scaled(edges, down, across)) for number, *edges in found]
    _write_numbers(axes, owned, [*places, *_boxes(owned, down, across)], launch.grid)
    axes.set_xlim(0, owned.columns)
    axes.set_ylim(owned.rows, 0)
    axes.xaxis.set_major_locator(MaxNLocator(8 if owned.columns < 10**6 else 4, integer=True))
    axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
    axes.ticklabel_format(style="plain", useOffset=False)
    axes.set_xlabel("element" if owned.rows == 1 else "column", fontsize=8)
    axes.set_ylabel("" if owned.rows == 1 else "row", fontsize=8)
    if owned.rows == 1:
        axes.set_yticks([])


def _scaled(edges: Sequence[int], down: float, across: float) -> Box:
    top, bottom, left, right = edges
    return top * down, bottom * down, left * across, right * across


def _boxes(owned: Ownership, down: float, across: float) -> Iterator[tuple[int, Box]]:
    """Yield what each program touched as one box: its number may fit there where no piece is."""
    for number, tiles in owned.tiles.items():
        left = min(tile.columns[0][0] for tile in tiles)
        right = max(tile.columns[-1][1] for tile in tiles) + 1
        edges = tiles[0].rows[0], tiles[-1].rows[1] + 1, left, right
        yield number, _scaled(edges, down, across)


def _write_numbers(
    axes: Axes, owned: Ownership, places: Sequence[tuple[int, Box]], grid: Triple
) -> None:
    """Write each program's id once, into the first of its `places` that has room for it.

    Where few programs ran there is room beside them.
    """
    per_inch = owned.columns / INCHES_WIDE, owned.rows / (tallness(owned) - ROOM)
    taken: list[Box] = []
    written = {NO_PROGRAM}
    for number, box in places:
        if number in written:
            continue
        label = id_text(number, grid).strip("()")
        width = CHARACTER_INCHES * (len(label) + 1) * per_inch[0]
        height = LINE_INCHES * per_inch[1]
        mine = _place(box, width, height, owned)
        if mine is None or any(_meet(mine, other) for other in taken):
            continue
        taken.append(mine)
        written.add(number)
        axes.text(
            (mine[2] + mine[3]) / 2, (mine[0] + mine[1]) / 2, label,
            ha="center", va="center", fontsize=8, clip_on=True,
            bbox={"facecolor": "white", "edgecolor": "none", "alpha": 0.75, "pad": 0.6},
        )  # fmt: skip


def _place(box: Box, width: float, height: float, owned: Ownership) -> Box | None:
    """Return where a number of this size stands: in the middle of `box`, or beside it, or not."""
    top, bottom, left, right = box
    x, y = (left + right) / 2, (top + bottom) / 2
    if right - left < width or bottom - top < height:
        if not owned.sampled:
            return None
        y = min(max(y, height / 2), owned.rows - height / 2)
        if right - left < width:
            x = right + width / 2 if right + width < owned.columns else left - width / 2
    return y - height / 2, y + height / 2, x - width / 2, x + width / 2


def _meet(one: Box, other: Box) -> bool:
    return one[0] < other[1] and other[0] < one[1] and one[2] < other[3] and other[2] < one[3]


def _draw_one(
    axes: Axes,
    number: int,
    box: Box,
    grid: Triple,
    *,
    hatched: int,
) -> None:
    """Draw one of so many rectangles as `hatched` says."""
    if number == NO_PROGRAM:
        return
    top, bottom, left, right = box
    x, y, z = triple(number, grid)
    kind = (x + 2 * y + 3 * z) % len(FILLS)
    axes.add_patch(
        Rectangle(
            (left, top),
            right - left,
            bottom - top,
            facecolor=FILLS[kind],
            edgecolor="0.45",
            linewidth=0.5 if hatched <= MOST_HATCHED else 0.0,
            hatch=HATCHES[kind] if hatched <= MOST_HATCHED else None,
        )
    )


def _outline(axes: Axes, owned: Ownership, program: int, down: float, across: float) -> None:
    for tile in tiles_of(owned, program):
        for first, last in tile.columns:
            axes.add_patch(
                Rectangle(
                    (first * across, tile.rows[0] * down),
                    (last + 1 - first) * across,
                    (tile.rows[1] + 1 - tile.rows[0]) * down,
                    fill=False,
                    edgecolor="black",
                    linewidth=2.0,
                    zorder=3,
                )
            )


def rectangles(cells: tuple[tuple[int, ...], ...]) -> Iterator[tuple[int, int, int, int, int]]:
    """Yield owner, top, bottom, left and right of rectangles of one owner that cover `cells`.

    Bottom and right are the first row and column that belong no more.
    """
    open_: dict[tuple[int, int, int], int] = {}
    for row in range(len(cells) + 1):
        runs = set(_runs(cells[row])) if row < len(cells) else set()
        for owner, left, right in [run for run in open_ if run not in runs]:
            yield owner, open_.pop((owner, left, right)), row, left, right
        for run in runs:
            open_.setdefault(run, row)


def _runs(row: tuple[int, ...]) -> Iterator[tuple[int, int, int]]:
    """Yield owner, start and end of each run of one owner."""
    start = 0
    for place in range(1, len(row) + 1):
        if place == len(row) or row[place] != row[start]:
            yield row[start], start, place
            start = place
