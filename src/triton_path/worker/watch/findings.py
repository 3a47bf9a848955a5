"""Collects faults: each kind once for a line and an argument, with a count."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

import numpy as np

from triton_path.jobs.watch import Fault, Kind, Lanes, Program
from triton_path.worker.watch import wording
from triton_path.worker.watch.places import calls_above, current_site, place_of

if TYPE_CHECKING:
    from types import CodeType

    from triton_path.jobs.watch import Access, Place, Triple
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.access import BadAccess, Part, Resolved
    from triton_path.worker.watch.memory import Region
    from triton_path.worker.watch.places import Site
    from triton_path.worker.watch.run import Run

DEPTH = 2
_OUT_OF_BOUNDS: dict[str, Kind] = {
    "load": "out-of-bounds-load",
    "store": "out-of-bounds-store",
    "atomic": "out-of-bounds-atomic",
}
ADVICE = frozenset({"depends-on-masked-lanes"})


class Book:
    """All faults of a watch."""

    def __init__(self) -> None:
        self._faults: dict[tuple[object, ...], Fault] = {}
        self._times: dict[tuple[object, ...], int] = {}

    def seen(self, key: tuple[object, ...], *, count: bool) -> bool:
        """Tell whether `key` is there already, and `count` one more of it."""
        if count:
            self._times[key] = self._times.get(key, 0) + 1
        return key in self._faults

    def add(self, key: tuple[object, ...], fault: Fault) -> Fault:
        """Enter a fault under `key`."""
        self._times.setdefault(key, 1)
        return self._faults.setdefault(key, fault)

    def position(self, fault: Fault) -> int | None:
        """Return where `fault` is among all faults; one like it at the same line stands for it."""
        for place, found in enumerate(self._faults.values()):
            if found is fault:
                return place
        return None

    def faults(self) -> tuple[Fault, ...]:
        """Return all faults in the order they were found."""
        return tuple(
            fault.model_copy(update={"times": self._times[key]})
            for key, fault in self._faults.items()
        )


class Findings:
    """Turns what the checks find in one launch into faults of the book."""

    def __init__(self, book: Book, kernel: str, code: CodeType, launch: int) -> None:
        """`code` is the kernel's; `launch` its number in the report."""
        self.book = book
        self.kernel = kernel
        self.code = code
        self.launch = launch
        self.entering = True
        """Whether faults made here go into the book."""
        self.raced: set[int] = set()
        """Storages that programs race for."""
        self.run: Run | None = None
        self.order: list[Triple] = []
        """The programs of the current run, as they come."""

    def _program(self, program: Triple) -> Program:
        assert self.run is not None
        grid = self.run.grid
        x, y, z = program
        return Program(id=program, grid=grid, linear=x + grid[0] * (y + grid[1] * z))

    @property
    def program(self) -> Program:
        """The program that runs now."""
        assert self.run is not None
        return self._program(self.run.program)

    def make(
        self,
        kind: Kind,
        words: wording.Words,
        place: Place | None,
        *,
        program: Program | None = None,
        other: Program | None = None,
        lanes: Lanes | None = None,
        calls: tuple[Place, ...] = (),
        others: tuple[Place, ...] = (),
    ) -> Fault:
        """Build a fault of this launch and enter it."""
        fault = Fault(
            kind=kind,
            severity="advice" if kind in ADVICE else "fault",
            sentence=words.sentence,
            why=words.why,
            remedy=words.remedy,
            place=place,
            calls=calls,
            others=others,
            kernel=self.kernel,
            launch=self.launch,
            program=program,
            other_program=other,
            lanes=lanes,
        )
        if not self.entering:
            return fault
        line = (place.file, place.line) if place else (self.kernel,)
        return self.book.add((kind, *line, lanes.argument if lanes else ""), fault)

    def race(
        self,
        kind: Kind,
        access: Resolved,
        part: Part,
        lanes: Array,
        ordinal: int | None = None,
        other_site: Site | None = None,
    ) -> None:
        """Report `lanes`, positions among those of `part`, that race or read undefined memory."""
        site = current_site(DEPTH)
        place = place_of(site)
        key = (kind, place.file, place.line, part.region.name)
        if ordinal is not None:
            storage = id(part.region.storage)
            if not self.entering and storage in self.raced:
                return  # the same race, met from its other side in another order
            self.raced.add(storage)
        if self.book.seen(key, count=self.entering):
            return
        facts = _lanes(access, part, np.unique(lanes))
        other = self._program(self.order[ordinal]) if ordinal is not None else None
        if kind == "uninitialised-read":
            words = wording.uninitialised(facts, self.program)
        else:
            words = wording.race(kind, facts, self.program, other)
        fault = self.make(
            kind,
            words,
            place,
            program=self.program,
            other=other,
            lanes=facts,
            calls=calls_above(sys._getframe(1), self.code),
            others=() if other_site is None or other_site == site else (place_of(other_site),),
        )
        # Entered in any run: another order of programs shows races that the first one ordered.
        self.book.add(key, fault)

    def bad_access(
        self, bad: BadAccess, site: Site, calls: tuple[Place, ...], *, wrapped: bool = False
    ) -> Fault:
        """Report lanes that may not touch memory."""
        region = bad.region
        program = self.program
        kind: Kind
        if region is None:
            facts = _bad_lanes(bad, "?", (), "?")
            kind, words = "foreign-pointer", wording.foreign_pointer(facts, program)
        else:
            facts = _bad_lanes(bad, region.name, region.shape, region.dtype)
            if wrapped:
                kind, words = "offset-overflow", wording.offset_overflow(facts, program)
            else:
                facts = facts.model_copy(update={"index": region.index_of(facts.offset)})
                kind = _OUT_OF_BOUNDS[bad.kind]
                words = wording.out_of_bounds(facts, program, region)
        place = place_of(site)
        return self.make(kind, words, place, program=program, lanes=facts, calls=calls)


def _lanes(access: Resolved, part: Part, chosen: Array) -> Lanes:
    region: Region = part.region
    offset = int(part.offsets[chosen[0]]) * part.dtype.itemsize // region.itemsize
    position = int(chosen[0] if part.lanes is None else part.lanes[chosen[0]])
    return Lanes(
        access=access.kind,
        argument=region.name,
        shape=region.shape,
        dtype=region.dtype,
        offset=offset,
        index=region.index_of(offset),
        lane=_lane(position, access.active, access.shape),
        offending=len(chosen),
        active=access.active_count,
        lanes=_size(access.shape),
        masked=access.active is not None,
    )


def _bad_lanes(bad: BadAccess, name: str, shape: tuple[int, ...], dtype: str) -> Lanes:
    position = int(np.flatnonzero(bad.bad)[0])
    kind: Access = bad.kind
    return Lanes(
        access=kind,
        argument=name,
        shape=shape,
        dtype=dtype,
        offset=int(bad.offsets[position]),
        index=None,
        lane=_lane(position, bad.active, bad.shape),
        offending=int(bad.bad.sum()),
        active=bad.bad.size,
        lanes=_size(bad.shape),
        masked=bad.masked,
        described=bad.described,
    )


def _lane(position: int, active: Array | None, shape: tuple[int, ...]) -> tuple[int, ...]:
    """Return a lane's index in its block from its position among the active lanes."""
    if _size(shape) == 1:
        return ()
    if active is not None:
        position = int(np.flatnonzero(active)[position])
    return tuple(int(part) for part in np.unravel_index(position, shape))


def _size(shape: tuple[int, ...]) -> int:
    return int(np.prod(shape, dtype=np.int64))
