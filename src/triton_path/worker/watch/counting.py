"""Counts what the kernel asked of memory, for each argument and for each line."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

from triton_path.jobs.watch import ArgumentCount, LineCount
from triton_path.worker.watch.lanes import SECTOR, fastest_last, sectors_of, stride_of
from triton_path.worker.watch.owners import Owners, PieceOwners
from triton_path.worker.watch.places import place_of

if TYPE_CHECKING:
    from triton_path.jobs.watch import Access, Ownership, PictureAccess, Place
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.access import Part, Resolved
    from triton_path.worker.watch.memory import AddressSpace, Region
    from triton_path.worker.watch.places import Site

Key = tuple["Site", int, "Access"]
"""One access expression and the number of one argument's region."""
IRREGULAR = "irregular"


class _Line:
    """Sums for one access expression and one argument."""

    __slots__ = ("active", "bytes", "distinct", "executions", "lanes", "sectors", "stride")
    SUMS = ("active", "bytes", "distinct", "executions", "lanes", "sectors")

    def __init__(self) -> None:
        self.executions = self.lanes = self.active = self.bytes = 0
        self.sectors = self.distinct = 0
        self.stride: int | str | None = None
        """Of all executions; None where no block had two lanes."""

    def add(self, other: _Line) -> None:
        """Take in the sums of `other`."""
        for name in self.SUMS:
            setattr(self, name, getattr(self, name) + getattr(other, name))
        if other.stride is not None:
            self.note_stride(other.stride)

    def note_stride(self, stride: int | str) -> None:
        """Note the stride of one more execution."""
        self.stride = stride if self.stride in (None, stride) else IRREGULAR


class Counter:
    """The counts of one run."""

    def __init__(self, *, sectors: bool, ownership: bool) -> None:
        """`sectors` and unique bytes, and `ownership`, cost time and memory."""
        self.sectors = sectors
        self._ownership = ownership
        self._lines: dict[Key, _Line] = {}
        self._touched: dict[tuple[int, bool], Array] = {}
        self._owners: dict[tuple[int, bool], Owners] = {}
        """For each region number, and whether it is about writing."""
        self._pieces: dict[tuple[int, bool], Owners] = {}
        """The same by pieces, as long as few programs may run."""
        self.by_pieces = False
        self._program = 0

    def start_program(self, linear: int) -> None:
        """Begin the program with this position in the grid."""
        self._program = linear

    def sums(self) -> dict[Key, tuple[int, int]]:
        """Return bytes and sectors of each line so far."""
        return {key: (line.bytes, line.sectors) for key, line in self._lines.items()}

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
        if self.sectors:
            if count > 1 and part.lanes is None:
                order, size = fastest_last(addresses), part.dtype.itemsize
                line.sectors += sectors_of(addresses, access.active, size, order)
                stride = stride_of(addresses, size, order)
                line.note_stride(IRREGULAR if stride is None else stride)
            else:
                line.sectors += count
            if access.kind != "store":
                self._touch(part, writing=False)
            if writes:
                self._touch(part, writing=True)
            line.distinct += _distinct(part) * part.dtype.itemsize
        if self._ownership:
            if access.kind != "store":
                self._own(part, writing=False)
            if writes:
                self._own(part, writing=True)

    def _own(self, part: Part, *, writing: bool) -> None:
        key = (part.region.number, writing)
        if key not in self._owners:
            access: PictureAccess = "store" if writing else "load"
            self._owners[key] = Owners(part.region, access)
            self._pieces[key] = PieceOwners(part.region, access)
        elements = _elements(part)
        self._owners[key].note(elements, self._program)
        if self.by_pieces:
            self._pieces[key].note(elements, self._program)

    def pictures(self, *, by_pieces: bool) -> tuple[Ownership, ...]:
        """Return what was stored, then what was loaded, each in the order of the arguments."""
        owners = self._pieces if by_pieces else self._owners
        keys = sorted(owners, key=lambda key: (not key[1], key[0]))
        return tuple(owners[key].picture() for key in keys)

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
        if not self.sectors or region.storage.virtual:
            return None
        touched = self._touched.get((region.number, writing))
        return 0 if touched is None else int(touched.sum()) * region.itemsize

    def joined(self) -> list[tuple[Place, int, Access, list[Key]]]:
        """Return the lines as they are reported, in their order, and what each is the sum of.

        Python compiles the condition of a loop twice: two sites, one place.
        """
        found: dict[tuple[Place, int, Access], list[Key]] = {}
        for site, number, access in self._lines:
            place = place_of(site)
            found.setdefault((place, number, access), []).append((site, number, access))
        lines = [(*which, keys) for which, keys in found.items()]
        return sorted(lines, key=lambda line: (line[0].file, line[0].line))

    def lines(self, space: AddressSpace) -> tuple[LineCount, ...]:
        """Return the counts of each access expression, by line."""
        found = []
        for place, number, access, keys in self.joined():
            line = _Line()
            for key in keys:
                line.add(self._lines[key])
            found.append(
                LineCount(
                    place=place,
                    argument=space.regions[number].name,
                    access=access,
                    executions=line.executions,
                    lanes=line.lanes,
                    active_lanes=line.active,
                    bytes_used=line.bytes,
                    sectors=line.sectors if self.sectors else None,
                    sector_efficiency=(
                        line.distinct / (line.sectors * SECTOR) if line.sectors else None
                    ),
                    stride=line.stride if isinstance(line.stride, int) else None,
                )
            )
        return tuple(found)


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
