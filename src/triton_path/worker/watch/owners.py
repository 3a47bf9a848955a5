"""Which program wrote which element, kept for a picture of bounded size."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triton_path.jobs.watch import Ownership
from triton_path.worker.watch.memory import strided_offsets

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.memory import Region

MOST_ROWS = 64
MOST_COLUMNS = 128
NOBODY = -1


class Owners:
    """The last program that stored to each of the elements that the picture shows.

    At most 64 x 128 elements of a tensor are followed, whatever its size.
    """

    def __init__(self, region: Region) -> None:
        """Choose the elements of `region`: the middles of equal pieces of each axis."""
        self._region = region
        self._columns = region.shape[-1] if region.shape else 1
        self._rows = region.numel // self._columns if self._columns else 0
        rows = _middles(self._rows, MOST_ROWS)
        columns = _middles(self._columns, MOST_COLUMNS)
        flat = rows[:, None] * self._columns + columns[None, :]
        offsets = strided_offsets(flat, region.shape, region.strides)
        self._shape = flat.shape
        self._offsets, self._cell = np.unique(offsets.reshape(-1), return_inverse=True)
        self._program = np.full(self._offsets.size, NOBODY, dtype=np.int64)

    def note(self, offsets: Array, program: int) -> None:
        """Note that `program` stored to the elements at `offsets`."""
        if not self._offsets.size:
            return
        place = np.searchsorted(self._offsets, offsets)
        place[place == self._offsets.size] = 0
        self._program[place[self._offsets[place] == offsets]] = program

    def picture(self) -> Ownership:
        """Return the picture."""
        cells = self._program[self._cell].reshape(self._shape)
        return Ownership(
            argument=self._region.name,
            shape=self._region.shape,
            rows=self._rows,
            columns=self._columns,
            cells=tuple(tuple(int(cell) for cell in row) for row in cells),
        )


def _middles(size: int, most: int) -> Array:
    """Return the middles of at most `most` equal pieces of range(size)."""
    if size <= most:
        return np.arange(size)
    return ((np.arange(most) + 0.5) * size / most).astype(np.int64)
