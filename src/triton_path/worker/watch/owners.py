"""Which program touched which element, kept for a picture of bounded size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triton_path.jobs.watch import Ownership, Tile
from triton_path.worker.watch.memory import strided_offsets

if TYPE_CHECKING:
    from triton_path.jobs.watch import PictureAccess, Span
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.memory import Region

MOST_ROWS = 64
MOST_COLUMNS = 128
MOST_OF_ONE_ROW = 768
"""Cells of a tensor that is one row, which is drawn as several lines."""
MOST_PROGRAMS = 4096
"""Programs whose tiles are kept."""
NOBODY = -1


class Owners:
    """Of each cell of a picture, the last program to store to it or the first to load it.

    A picture has at most 64 x 128 cells, whatever the size of the tensor. A cell stands for the
    element in the middle of its piece of the tensor.
    """

    sampled = False

    def __init__(self, region: Region, access: PictureAccess) -> None:
        """Start with nothing seen of `region`."""
        self._region = region
        self._access = access
        self._columns = region.shape[-1] if region.shape else 1
        self._rows = region.numel // self._columns if self._columns else 0
        rows = _middles(self._rows, MOST_ROWS)
        columns = _middles(self._columns, MOST_COLUMNS if self._rows > 1 else MOST_OF_ONE_ROW)
        self._shape = (rows.size, columns.size)
        self._entry, entries = self._prepare(rows, columns)
        """For each cell, which entry of the arrays below it shows."""
        self._program = np.full(entries, NOBODY, dtype=np.int64)
        self._touched: dict[int, Array] = {}
        """For each program, which entries it touched."""

    def _prepare(self, rows: Array, columns: Array) -> tuple[Array, int]:
        flat = rows[:, None] * self._columns + columns[None, :]
        offsets = strided_offsets(flat, self._region.shape, self._region.strides)
        # An expanded tensor has one element at many cells.
        self._offsets, entry = np.unique(offsets.reshape(-1), return_inverse=True)
        return entry, self._offsets.size

    def _entries(self, offsets: Array) -> Array:
        """Return the entries that stand for the elements at `offsets`, if any."""
        place = np.searchsorted(self._offsets, offsets)
        place[place == self._offsets.size] = 0
        found: Array = place[self._offsets[place] == offsets]
        return found

    def note(self, offsets: Array, program: int) -> None:
        """Note that `program` touched the elements at `offsets`."""
        if not self._program.size:
            return
        place = self._entries(offsets)
        if self._access == "load":
            self._program[place[self._program[place] == NOBODY]] = program
        else:
            self._program[place] = program
        touched = self._touched.get(program)
        if touched is None:
            if len(self._touched) >= MOST_PROGRAMS:
                return
            touched = self._touched[program] = np.zeros(self._program.size, dtype=np.bool_)
        touched[place] = True

    def picture(self) -> Ownership:
        """Return the picture."""
        cells = self._program[self._entry].reshape(self._shape)
        return Ownership(
            argument=self._region.name,
            access=self._access,
            shape=self._region.shape,
            rows=self._rows,
            columns=self._columns,
            cells=tuple(tuple(int(cell) for cell in row) for row in cells),
            sampled=self.sampled and cells.size < self._region.numel,
            tiles={
                program: tiles(touched[self._entry].reshape(self._shape))
                for program, touched in self._touched.items()
                if touched.any()
            },
        )


class PieceOwners(Owners):
    """The same where few programs of a grid ran: they would mostly miss the middles of pieces.

    A cell stands for every element of its piece.
    """

    sampled = True

    def _prepare(self, rows: Array, columns: Array) -> tuple[Array, int]:
        cells = rows.size * columns.size
        return np.arange(cells), cells

    def _entries(self, offsets: Array) -> Array:
        row, column = np.divmod(self._region.positions(offsets), self._columns)
        down, across = self._shape
        entries: Array = (row * down // self._rows) * across + column * across // self._columns
        return entries


def tiles(cells: Array) -> tuple[Tile, ...]:
    """Return the true ones of `cells`, rows x columns, with equal neighbouring rows joined."""
    found: list[Tile] = []
    rows = np.flatnonzero(cells.any(axis=1)).tolist()
    start = 0
    for place, row in enumerate(rows):
        following = rows[place + 1] if place + 1 < len(rows) else None
        if following == row + 1 and bool((cells[row] == cells[following]).all()):
            continue
        found.append(Tile(rows=(rows[start], row), columns=_spans(cells[row])))
        start = place + 1
    return tuple(found)


def _spans(row: Array) -> tuple[Span, ...]:
    """Return the first and last position of each run of true values."""
    edges = np.flatnonzero(np.diff(np.concatenate([[False], row, [False]]).astype(np.int8)))
    return tuple((int(first), int(end) - 1) for first, end in edges.reshape(-1, 2))


def _middles(size: int, most: int) -> Array:
    """Return the middles of at most `most` equal pieces of range(size)."""
    if size <= most:
        return np.arange(size)
    return ((np.arange(most) + 0.5) * size / most).astype(np.int64)
