"""What happened to each element during one run: who stored, who read, through which lane."""

from __future__ import annotations

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.ordering import Ordering

MOST_PENDING = 1 << 21
"""Elements of loads that are remembered before they are entered into the shadow."""


class Clash(NamedTuple):
    """Lanes of an access that meet an access of another program."""

    lanes: Array
    """Positions in the flat access."""
    segments: Array
    """The other program's segment, for each of these lanes."""
    reading: bool
    """Whether one of the two only read."""


class Shadow:
    """Segments (see `ordering`) for each unit of one storage; 0 stands for no access.

    Zeros that are never touched cost no memory: the system gives pages on the first write.
    """

    def __init__(self, units: int) -> None:
        """Prepare for `units` elements."""
        self.units = units
        self._writer: Array | None = None
        """Last plain store."""
        self.atomic: Array | None = None
        """Last atomic."""
        self.released: Array | None = None
        """Last release."""
        self._reader: Array | None = None
        self._other_reader: Array | None = None
        self._lane: Array | None = None
        self._phase: Array | None = None
        self._stored_in_phase = -1
        self._pending: list[tuple[int, int, Array]] = []
        self._pending_size = 0

    @property
    def stored(self) -> bool:
        """Whether there was a plain store."""
        return self._writer is not None

    def note_load(self, units: Array, ordering: Ordering) -> None:
        """Remember that the current segment read `units`.

        Most tensors that are read are never written: theirs are never entered.
        """
        self._pending.append((ordering.segment, ordering.first, units))
        self._pending_size += units.size
        if self._pending_size > MOST_PENDING:
            self.enter_loads()

    def enter_loads(self) -> None:
        """Enter the remembered loads: the last reader, and the last before it."""
        if not self._pending:
            return
        if self._reader is None or self._other_reader is None:
            self._reader = np.zeros(self.units, dtype=np.int32)
            self._other_reader = np.zeros(self.units, dtype=np.int32)
        for segment, first, units in self._pending:
            before = self._reader[units]
            foreign = (before > 0) & (before < first)
            if foreign.any():
                self._other_reader[units[foreign]] = before[foreign]
            self._reader[units] = segment
        self._pending.clear()
        self._pending_size = 0

    def readers_clash(self, units: Array, ordering: Ordering) -> Clash | None:
        """Return the lanes whose element another program read without order."""
        self.enter_loads()
        if self._reader is None or self._other_reader is None:
            return None
        reader = self._reader[units]
        own = reader >= ordering.first
        if own.any():
            reader = np.where(own, self._other_reader[units], reader)
        return _clash(reader, ordering, reading=True)

    def writer(self, unit: int) -> int:
        """Return the segment of the last plain store to `unit`, of which there was one."""
        assert self._writer is not None
        return int(self._writer[unit])

    def writers_clash(self, units: Array, ordering: Ordering, *, reading: bool) -> Clash | None:
        """Return the lanes whose element another program stored without order."""
        if self._writer is None:
            return None
        return _clash(self._writer[units], ordering, reading=reading)

    def atomics_clash(self, units: Array, ordering: Ordering, *, reading: bool) -> Clash | None:
        """Return the lanes whose element another program changed by an atomic without order."""
        if self.atomic is None:
            return None
        return _clash(self.atomic[units], ordering, reading=reading)

    def note_store(self, units: Array, lanes: Array, segment: int, phase: int) -> None:
        """Remember a plain store by `segment`; `lanes` are positions in the block."""
        if self._writer is None or self._lane is None or self._phase is None:
            # Not before: most tensors are only read, and large ones have no room for this.
            self._writer = np.zeros(self.units, dtype=np.int32)
            self._lane = np.zeros(self.units, dtype=np.int32)
            self._phase = np.zeros(self.units, dtype=np.int32)
        self._writer[units] = segment
        self._lane[units] = lanes
        self._phase[units] = phase
        self._stored_in_phase = phase

    def through_other_lanes(self, units: Array, lanes: Array, phase: int) -> Array | None:
        """Return which lanes read what another lane stored since the last barrier."""
        if self._stored_in_phase != phase or self._lane is None or self._phase is None:
            return None
        other = (self._phase[units] == phase) & (self._lane[units] != lanes)
        return other if other.any() else None

    def note_atomic(self, units: Array, segment: int) -> None:
        """Remember an atomic by `segment`."""
        if self.atomic is None:
            self.atomic = np.zeros(self.units, dtype=np.int32)
        self.atomic[units] = segment

    def releases(self, units: Array) -> Array:
        """Return the segments of the last release at `units`."""
        if self.released is None:
            self.released = np.zeros(self.units, dtype=np.int32)
        found: Array = self.released[units]
        return found


def _clash(segments: Array, ordering: Ordering, *, reading: bool) -> Clash | None:
    unordered = ordering.unordered(segments)
    if not unordered.any():
        return None
    lanes = np.flatnonzero(unordered)
    return Clash(lanes, segments[lanes], reading)
