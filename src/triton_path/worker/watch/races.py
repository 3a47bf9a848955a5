"""Judges each access against the shadow: races between programs, and between lanes of one."""

from __future__ import annotations

from typing import TYPE_CHECKING, Protocol

import numpy as np

from triton_path.worker.watch.ordering import Ordering
from triton_path.worker.watch.shadow import Shadow

if TYPE_CHECKING:
    from triton_path.jobs.watch import Kind
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.access import Part, Resolved
    from triton_path.worker.watch.memory import Storage
    from triton_path.worker.watch.places import Site
    from triton_path.worker.watch.shadow import Clash


class Findings(Protocol):
    """Where a race goes.

    `ordinal` is the other program's place in this run, `other_site` the other access's in the
    kernel.
    """

    def race(
        self,
        kind: Kind,
        access: Resolved,
        part: Part,
        lanes: Array,
        ordinal: int | None = None,
        other_site: Site | None = None,
    ) -> None:
        """Report `lanes`, positions among those of `part`."""


class RaceWatch:
    """The shadows of one run of a launch."""

    def __init__(self, programs: int, findings: Findings) -> None:
        """Prepare for a run of `programs` programs."""
        self.ordering = Ordering(programs)
        self._findings = findings
        self._shadows: dict[int, Shadow] = {}
        self._phase = 0

    def start_program(self) -> None:
        """Begin the next program."""
        self.ordering.start_program()
        self._phase += 1

    def start_access(self, site: Site) -> None:
        """Begin an access at `site` of the kernel."""
        self.ordering.start_access(site)

    def barrier(self) -> None:
        """Note that all lanes of the program now see what it stored."""
        self._phase += 1

    def _shadow(self, storage: Storage) -> Shadow:
        found = self._shadows.get(id(storage))
        if found is None:
            found = self._shadows[id(storage)] = Shadow(storage.units)
        return found

    def load(self, access: Resolved, part: Part) -> None:
        """Judge a load."""
        region = part.region
        if region.storage.virtual:
            return
        shadow = self._shadow(region.storage)
        units = region.units(part.offsets, part.dtype.itemsize)
        if shadow.stored or shadow.atomic is not None:
            clash = shadow.writers_clash(units, self.ordering, reading=True)
            self._report(access, part, clash or self._read_atomic(shadow, units), units.size)
            if shadow.stored:
                lanes = _positions(access, part, units.size)
                other = shadow.through_other_lanes(units, lanes, self._phase)
                if other is not None:
                    found = np.flatnonzero(other) // _spread(part, units)
                    stored = self.ordering.site(shadow.writer(int(units[other.argmax()])))
                    self._findings.race(
                        "read-back-without-barrier", access, part, found, other_site=stored
                    )
        shadow.note_load(units, self.ordering)

    def _read_atomic(self, shadow: Shadow, units: Array) -> Clash | None:
        return shadow.atomics_clash(units, self.ordering, reading=True)

    def store(self, access: Resolved, part: Part, values: Array) -> None:
        """Judge a store of flat `values`, before it is done."""
        region = part.region
        if region.storage.virtual:
            return
        shadow = self._shadow(region.storage)
        units = region.units(part.offsets, part.dtype.itemsize)
        self._same_address(access, part, values)
        clash = (
            shadow.writers_clash(units, self.ordering, reading=False)
            or shadow.atomics_clash(units, self.ordering, reading=False)
            or shadow.readers_clash(units, self.ordering)
        )
        if clash is not None:
            lanes = clash.lanes // _spread(part, units)
            before = region.view(part.dtype)[part.offsets[lanes]]
            changed = _bits(before) != _bits(values[lanes])
            clash = clash._replace(lanes=clash.lanes[changed], segments=clash.segments[changed])
            self._report(access, part, clash, units.size)
        lanes = _positions(access, part, units.size)
        shadow.note_store(units, lanes, self.ordering.segment, self._phase)

    def _same_address(self, access: Resolved, part: Part, values: Array) -> None:
        """Report lanes of one store that put different values at one address."""
        offsets = part.offsets
        if offsets.size < 2 or bool((offsets[1:] > offsets[:-1]).all()):
            return
        order = np.argsort(offsets, kind="stable")
        ordered, bits = offsets[order], _bits(values)[order]
        differ = (ordered[1:] == ordered[:-1]) & (bits[1:] != bits[:-1])
        if differ.any():
            lanes = np.sort(order[1:][differ])
            self._findings.race("lane-write-race", access, part, lanes)

    def atomic(self, access: Resolved, part: Part, *, acquires: bool, releases: bool) -> None:
        """Judge an atomic, which other atomics never disturb, and let it order programs."""
        region = part.region
        if region.storage.virtual:
            return
        shadow = self._shadow(region.storage)
        units = region.units(part.offsets, part.dtype.itemsize)
        # Judged before it acquires: its own order with a plain store would be this run's luck.
        clash = shadow.writers_clash(units, self.ordering, reading=False)
        self._report(access, part, clash or shadow.readers_clash(units, self.ordering), units.size)
        shadow.atomics_clash(units, self.ordering, reading=False)
        segment = self.ordering.segment
        if acquires or releases:
            before = shadow.releases(units)
            if acquires:
                self.ordering.acquire(before)
            if releases:
                segment = self.ordering.release(before)
                assert shadow.released is not None
                shadow.released[units] = segment
            # The compiler puts a barrier around an atomic that orders memory.
            self._phase += 1
        shadow.note_atomic(units, segment)

    def _report(self, access: Resolved, part: Part, clash: Clash | None, units: int) -> None:
        if clash is None or clash.lanes.size == 0:
            return
        lanes = clash.lanes // max(1, units // part.offsets.size)
        kind: Kind = "read-write-race" if clash.reading else "write-write-race"
        segment = int(clash.segments[0])
        other, site = self.ordering.ordinal(segment), self.ordering.site(segment)
        self._findings.race(kind, access, part, np.unique(lanes), other, site)


def _spread(part: Part, units: Array) -> int:
    """Return how many shadow units one lane covers."""
    return max(1, units.size // part.offsets.size)


def _positions(access: Resolved, part: Part, units: int) -> Array:
    """Return the position in its block of each unit's lane."""
    if access.active is None:
        size = int(np.prod(access.shape, dtype=np.int64))
        positions: Array = _ramp(size)
    else:
        positions = np.flatnonzero(access.active)
    if part.lanes is not None:
        positions = positions[part.lanes]
    spread = units // max(1, part.offsets.size)
    return positions if spread <= 1 else np.repeat(positions, spread)


_ramps: dict[int, Array] = {}


def _ramp(size: int) -> Array:
    found = _ramps.get(size)
    if found is None:
        found = _ramps[size] = np.arange(size)
    return found


def _bits(values: Array) -> Array:
    """Return `values` as unsigned integers, so that NaN equals itself and 0.0 is not -0.0."""
    return np.ascontiguousarray(values).view(f"u{values.dtype.itemsize}")
