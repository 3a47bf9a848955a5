"""Counts what the kernel asked of memory, for each argument and for each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triton_path.jobs.watch import ArgumentCount, LineCount
from triton_path.worker.watch.owners import Owners
from triton_path.worker.watch.places import place_of

if TYPE_CHECKING:
    from triton_path.jobs.watch import Access, Place
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.access import Part, Resolved
    from triton_path.worker.watch.memory import AddressSpace, Region
    from triton_path.worker.watch.places import Site

WARP = 32
"""Lanes that fetch together, in this model."""
SECTOR = 32
"""Bytes that a GPU's memory gives at once."""


class _Line:
    """Sums for one access expression and one argument."""

    __slots__ = ("active", "bytes", "distinct", "executions", "lanes", "sectors")

    def __init__(self) -> None:
        self.executions = self.lanes = self.active = self.bytes = 0
        self.sectors = self.distinct = 0

    def add(self, other: _Line) -> None:
        """Take in the sums of `other`."""
        for name in self.__slots__:
            setattr(self, name, getattr(self, name) + getattr(other, name))


class Counter:
    """The counts of one run."""

    def __init__(self, *, sectors: bool, ownership: bool) -> None:
        """`sectors` and unique bytes, and `ownership`, cost time and memory."""
        self._sectors = sectors
        self._ownership = ownership
        self._lines: dict[tuple[Site, int, Access], _Line] = {}
        self._touched: dict[tuple[int, bool], Array] = {}
        self.owners: dict[int, Owners] = {}
        """For each region number that was written to."""
        self._program = 0

    def start_program(self, linear: int) -> None:
        """Begin the program with this position in the grid."""
        self._program = linear

    def note(self, site: Site, access: Resolved, part: Part, addresses: Array) -> None:
        """Count the lanes of `part`; `addresses` is the whole block, masked lanes included."""
        key = (site, part.region.number, access.kind)
        line = self._lines.get(key)
        if line is None:
            line = self._lines[key] = _Line()
        count = part.offsets.size
        line.executions += 1
        line.lanes += addresses.size if part.lanes is None else count
        line.active += count
        line.bytes += count * part.dtype.itemsize
        writes = access.kind != "load"
        if self._sectors:
            if count > 1 and part.lanes is None:
                line.sectors += sectors_of(addresses, access.active, part.dtype.itemsize)
            else:
                line.sectors += count
            if access.kind != "store":
                self._touch(part, writing=False)
            if writes:
                self._touch(part, writing=True)
            line.distinct += _distinct(part) * part.dtype.itemsize
        if writes and self._ownership:
            owners = self.owners.get(part.region.number)
            if owners is None:
                owners = self.owners[part.region.number] = Owners(part.region)
            owners.note(_elements(part), self._program)

    def _touch(self, part: Part, *, writing: bool) -> None:
        if part.region.storage.virtual:
            return
        key = (part.region.number, writing)
        touched = self._touched.get(key)
        if touched is None:
            touched = self._touched[key] = np.zeros(part.region.extent, dtype=np.bool_)
        touched[_elements(part)] = True

    def arguments(self, space: AddressSpace) -> tuple[ArgumentCount, ...]:
        """Return the counts of each tensor argument."""
        return tuple(self._argument(region) for region in space.regions)

    def _argument(self, region: Region) -> ArgumentCount:
        bytes_of = dict.fromkeys(("load", "store", "atomic"), 0)
        for (_, number, access), line in self._lines.items():
            if number == region.number:
                bytes_of[access] += line.bytes
        loaded, stored = self._unique(region, False), self._unique(region, True)
        return ArgumentCount(
            name=region.name,
            shape=region.shape,
            strides=region.strides,
            dtype=region.dtype,
            loaded_bytes=bytes_of["load"],
            stored_bytes=bytes_of["store"],
            atomic_bytes=bytes_of["atomic"],
            unique_loaded_bytes=loaded,
            unique_stored_bytes=stored,
            redundancy=(bytes_of["load"] + bytes_of["atomic"]) / loaded if loaded else None,
        )

    def _unique(self, region: Region, writing: bool) -> int | None:
        if not self._sectors or region.storage.virtual:
            return None
        touched = self._touched.get((region.number, writing))
        return 0 if touched is None else int(touched.sum()) * region.itemsize

    def lines(self, space: AddressSpace) -> tuple[LineCount, ...]:
        """Return the counts of each access expression, by line."""
        joined: dict[tuple[Place, int, Access], _Line] = {}
        for (site, number, access), line in self._lines.items():
            # Python compiles the condition of a loop twice: two sites, one place.
            joined.setdefault((place_of(site), number, access), _Line()).add(line)
        found = [
            LineCount(
                place=place,
                argument=space.regions[number].name,
                access=access,
                executions=line.executions,
                lanes=line.lanes,
                active_lanes=line.active,
                bytes_used=line.bytes,
                sectors=line.sectors if self._sectors else None,
                sector_efficiency=(
                    line.distinct / (line.sectors * SECTOR) if line.sectors else None
                ),
            )
            for (place, number, access), line in joined.items()
        ]
        return tuple(sorted(found, key=lambda line: (line.place.file, line.place.line)))


def _elements(part: Part) -> Array:
    """Return offsets in elements of the region, where the pointer's type has another size."""
    if part.dtype.itemsize == part.region.itemsize:
        return part.offsets
    return part.offsets * part.dtype.itemsize // part.region.itemsize


def _distinct(part: Part) -> int:
    """Return how many different elements the lanes touch."""
    offsets = part.offsets
    if offsets.size == 1:
        return 1
    steps = offsets[1:] - offsets[:-1]
    if bool((steps > 0).all()):
        return offsets.size
    return int(np.unique(offsets).size)


def sectors_of(addresses: Array, active: Array | None, itemsize: int) -> int:
    """Return the sectors that a block of addresses fetches, in the model of `LineCount`."""
    order = _fastest_last(addresses)
    sectors = (addresses.transpose(order).reshape(-1) >> np.uint64(5)).view(np.int64)
    if active is not None:
        sectors = np.where(active.transpose(order).reshape(-1), sectors, -1)
    rest = -sectors.size % WARP
    if rest:
        sectors = np.concatenate([sectors, np.full(rest, -1, dtype=np.int64)])
    groups = sectors.reshape(-1, WARP)
    steps = groups[:, 1:] - groups[:, :-1]
    if bool((steps < 0).any()):
        groups = np.sort(groups, axis=1)
        steps = groups[:, 1:] - groups[:, :-1]
    # A group counts its steps, and its first sector unless that stands for inactive lanes.
    total = int(np.count_nonzero(steps)) + int(np.count_nonzero(groups[:, 0] >= 0))
    return total * max(1, itemsize // SECTOR)


def _fastest_last(addresses: Array) -> list[int]:
    """Return the block's axes with the one of the smallest stride in memory last.

    The compiler lays out a block by the contiguity that it can prove, mostly with this outcome.
    """
    axes = list(range(addresses.ndim))
    if addresses.ndim < 2:
        return axes
    origin = int(addresses.flat[0])
    steps = {}
    for axis in axes:
        if addresses.shape[axis] > 1:
            index = [0] * addresses.ndim
            index[axis] = 1
            steps[axis] = abs(int(addresses[tuple(index)]) - origin)
    moving = [axis for axis in axes if steps.get(axis)]
    if not moving:
        return axes
    fastest = min(moving, key=lambda axis: (steps[axis], -axis))
    return [*(axis for axis in axes if axis != fastest), fastest]
