"""From a block of pointers to checked element offsets: every memory operation passes here."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any, NamedTuple

import numpy as np

from triton_path.worker.watch.memory import BASE, HALF, REGION_BITS, Region

if TYPE_CHECKING:
    from triton_path.jobs.watch import Access
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.memory import AddressSpace

_BASE = np.uint64(BASE)
_BITS = np.uint64(REGION_BITS)


class Part(NamedTuple):
    """The active lanes of one access that fall into one argument."""

    region: Region
    offsets: Array
    """int64 offsets from the region's start, in elements of the pointer's type; flat."""
    lanes: Array | None
    """Positions among the access's active lanes; None where they are all here."""
    dtype: np.dtype[Any]


class Resolved(NamedTuple):
    """An access that may touch memory."""

    kind: Access
    parts: tuple[Part, ...]
    active: Array | None
    """bool in the block's shape; None where every lane is active."""
    shape: tuple[int, ...]
    active_count: int
    """Active lanes."""


class BadAccess(Exception):
    """Lanes that may not touch memory; the launch turns it into a fault."""

    def __init__(
        self,
        kind: Access,
        region: Region | None,
        bad: Array,
        offsets: Array,
        active: Array | None,
        shape: tuple[int, ...],
        *,
        masked: bool,
        described: bool = False,
    ) -> None:
        """`bad` and `offsets` are flat over the active lanes; `region` None is no argument."""
        super().__init__(kind)
        self.kind = kind
        self.region = region
        self.bad = bad
        self.offsets = offsets
        self.active = active
        self.shape = shape
        self.masked = masked
        self.described = described


def mask_data(mask: Any, shape: tuple[int, ...]) -> Array | None:
    """Return `mask` as bool in `shape`, or None where it lets every lane through.

    `mask` is a handle or, from a descriptor before Triton 3.9, a plain array.
    """
    if mask is None:
        return None
    data: Array = getattr(mask, "data", mask) if not isinstance(mask, np.ndarray) else mask
    if data.dtype != np.bool_:
        data = data != 0
    if data.all():
        return None
    return data if data.shape == shape else np.broadcast_to(data, shape)


def resolve(
    space: AddressSpace,
    kind: Access,
    pointers: Array,
    active: Array | None,
    dtype: np.dtype[Any],
    *,
    masked: bool,
) -> Resolved:
    """Find the arguments that uint64 `pointers` point into, and check every active lane.

    Raises BadAccess where a lane points outside of all arguments, or outside the elements of
    the one it started from.
    """
    shape = pointers.shape
    flat = pointers.reshape(-1) if active is None else pointers[active]
    if flat.size == 0:
        return Resolved(kind, (), active, shape, 0)
    if flat.size == 1:
        low = high = int(flat[0])
    else:
        low, high = int(flat.min()), int(flat.max())
    region = space.at(low)
    if region is not None and region is space.at(high):
        if (
            region.dense
            and dtype.itemsize == region.itemsize
            and low >= region.first
            and high <= region.last
        ):
            offsets = _offsets(flat, region, dtype.itemsize)
            part = Part(region, offsets, None, dtype)
            return Resolved(kind, (part,), active, shape, flat.size)
        groups: list[tuple[Region | None, Array | None]] = [(region, None)]
    else:
        groups = _groups(space, flat)
    parts = []
    for owner, lanes in groups:
        mine = flat if lanes is None else flat[lanes]
        bad, offsets = _check(owner, mine, dtype.itemsize)
        if bad.any():
            everywhere, all_offsets = bad, offsets
            if lanes is not None:
                everywhere = np.zeros(flat.size, dtype=bool)
                everywhere[lanes] = bad
                all_offsets = np.zeros(flat.size, dtype=np.int64)
                all_offsets[lanes] = offsets
            raise BadAccess(kind, owner, everywhere, all_offsets, active, shape, masked=masked)
        assert owner is not None
        parts.append(Part(owner, offsets, lanes, dtype))
    return Resolved(kind, tuple(parts), active, shape, flat.size)


def _offsets(addresses: Array, region: Region, itemsize: int) -> Array:
    """Return element offsets; the difference is exact in uint64 and fits int64."""
    distance = (addresses - np.uint64(region.base)).view(np.int64)
    return distance if itemsize == 1 else distance >> (itemsize.bit_length() - 1)


def _groups(space: AddressSpace, flat: Array) -> list[tuple[Region | None, Array | None]]:
    numbers = (flat - _BASE) >> _BITS
    return [
        (space.at(BASE + (int(number) << REGION_BITS) + HALF), np.flatnonzero(numbers == number))
        for number in np.unique(numbers)
    ]


def _check(region: Region | None, addresses: Array, itemsize: int) -> tuple[Array, Array]:
    """Return which lanes are bad, and the offset of each in elements of `itemsize` bytes."""
    if region is None:
        return np.ones(addresses.size, dtype=bool), np.zeros(addresses.size, dtype=np.int64)
    distance = (addresses - np.uint64(region.base)).view(np.int64)
    offsets = distance // itemsize
    own = region.itemsize
    good = region.belongs(distance // own)
    if itemsize > own:
        good &= region.belongs((distance + itemsize - 1) // own)
    # An access that is not aligned to its size faults on a GPU.
    good &= distance % itemsize == 0
    return ~good, offsets
