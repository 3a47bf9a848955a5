"""Tensor arguments as regions of a virtual address space, and the storages behind them.

Every argument gets 2^44 bytes of addresses for itself, its first element in their middle. A
kernel computes with these addresses; an access finds its argument by the upper bits, is checked
against it, and then reads or writes a NumPy view. So an access past `x` can never land in `y`,
and none outside an argument can reach memory at all.
"""

from __future__ import annotations

import ctypes
from math import prod
from typing import TYPE_CHECKING, Any

import numpy as np

from triton_path.worker.triton_private import names

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array

REGION_BITS = 44
BASE = 1 << 62
"""Far above any address of a process, so that a real address is never taken for a virtual one."""
HALF = 1 << (REGION_BITS - 1)


class Storage:
    """The bytes of one torch storage; arguments that alias share it."""

    def __init__(self, tensor: Any) -> None:
        """Look at the storage of the torch `tensor`; a meta tensor has none of its own."""
        untyped = tensor.untyped_storage()
        self.tensor = tensor
        self.virtual = tensor.device.type == "meta"
        self.address = 0 if self.virtual else untyped.data_ptr()
        self.nbytes = untyped.nbytes()
        self.unit = tensor.element_size()
        """Bytes of one entry of the shadow arrays: the smallest element of the arguments."""
        size = 0 if self.virtual else self.nbytes
        buffer = ctypes.c_uint8 * max(1, size)
        self.bytes: Array = np.ctypeslib.as_array(
            buffer.from_address(self.address) if size else buffer()
        )[:size]

    @property
    def units(self) -> int:
        """Entries that a shadow array of this storage has."""
        units: int = -(-self.nbytes // self.unit)
        return units


class Region:
    """One tensor argument: where it lies, and which offsets belong to it."""

    def __init__(self, name: str, tensor: Any, number: int, storage: Storage) -> None:
        """Place the torch `tensor`, or a wrapper of one, as the argument `name`."""
        inner = names.unwrap(tensor)
        self.name = name
        self.tensor = tensor
        self.shape: tuple[int, ...] = tuple(inner.shape)
        self.strides: tuple[int, ...] = tuple(inner.stride())
        self.itemsize: int = inner.element_size()
        self.dtype = str(tensor.dtype).removeprefix("torch.")
        self.storage = storage
        self.start: int = inner.storage_offset() * self.itemsize
        """Offset of the first element from the storage's start, in bytes."""
        self.base = BASE + (number << REGION_BITS) + HALF + ((storage.address + self.start) & 0xFFF)
        self.number = number
        self.numel: int = inner.numel()
        spans = [(size - 1) * stride for size, stride in zip(self.shape, self.strides, strict=True)]
        self.extent = 1 + sum(spans) if self.numel else 0
        """Elements from the first to the last, gaps included."""
        self.dense = _is_dense(self.shape, self.strides) if self.numel else True
        self.contiguous: bool = inner.is_contiguous()
        self.first = self.base
        self.last = self.base + (self.extent - 1) * self.itemsize
        """Address of the last element; before `first` where there is none."""
        self._views: dict[Any, Array] = {}
        self._listed: Array | None = None

    def view(self, dtype: np.dtype[Any]) -> Array:
        """Return the memory from the first element on as a flat array of `dtype`."""
        found = self._views.get(dtype)
        if found is None:
            rest = self.storage.bytes[self.start :]
            found = rest[: rest.size // dtype.itemsize * dtype.itemsize].view(dtype)
            self._views[dtype] = found
        return found

    def belongs(self, offsets: Array) -> Array:
        """Tell for each int64 element offset whether it is an element of this tensor."""
        inside = (offsets >= 0) & (offsets < self.extent)
        if self.dense or not inside.any():
            return inside
        if not _is_nested(self.shape, self.strides):
            return inside & np.isin(offsets, self.offsets())
        rest = np.where(inside, offsets, 0)
        for axis in _by_stride(self.shape, self.strides):
            inside &= rest // self.strides[axis] < self.shape[axis]
            rest = rest % self.strides[axis]
        whole: Array = inside & (rest == 0)
        return whole

    def index_of(self, offset: int) -> tuple[int, ...] | None:
        """Return the index that an element offset stands for.

        Past the end the first axis runs on, as it does in a learner's arithmetic. None before the
        start, and where an expanded axis gives one offset many indices.
        """
        if offset < 0 or any(
            size > 1 and not stride for size, stride in zip(self.shape, self.strides, strict=True)
        ):
            return None
        index = [0] * len(self.shape)
        for axis in _by_stride(self.shape, self.strides, self.extent):
            index[axis], offset = divmod(offset, self.strides[axis])
        return tuple(index)

    def positions(self, offsets: Array) -> Array:
        """Return the row-major positions of elements; of an expanded axis always the first."""
        steps = [prod(self.shape[axis + 1 :]) for axis in range(len(self.shape))]
        rest, total = offsets, np.zeros(offsets.shape, dtype=np.int64)
        for axis in _by_stride(self.shape, self.strides):
            index = np.minimum(rest // self.strides[axis], self.shape[axis] - 1)
            total += index * steps[axis]
            rest = rest - index * self.strides[axis]
        return total

    def offsets(self) -> Array:
        """Return the int64 offsets of all elements, in the tensor's shape."""
        if self._listed is None:
            self._listed = offsets_of(self.shape, self.strides)
        return self._listed

    def units(self, offsets: Array, itemsize: int) -> Array:
        """Turn offsets, in elements of `itemsize` bytes, into entries of the shadow arrays."""
        unit = self.storage.unit
        if itemsize == unit:
            return offsets + self.start // unit if self.start else offsets
        first: Array = (offsets * itemsize + self.start) // unit
        if itemsize < unit:
            return first
        spread: Array = (first[..., None] + np.arange(itemsize // unit)).reshape(-1)
        return spread


def offsets_of(shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    """Return the int64 offset of each element of a strided view, in `shape`."""
    total: Array = np.zeros((), dtype=np.int64)
    for size, stride in zip(shape, strides, strict=True):
        total = total[..., None] + np.arange(size, dtype=np.int64) * stride
    return total


def strided_offsets(flat: Array, shape: tuple[int, ...], strides: tuple[int, ...]) -> Array:
    """Return the offsets of elements given by their positions `flat` in row-major order."""
    rest, total = flat, np.zeros(flat.shape, dtype=np.int64)
    for size, stride in zip(reversed(shape), reversed(strides), strict=True):
        total += rest % max(1, size) * stride
        rest = rest // max(1, size)
    return total


def _by_stride(
    shape: tuple[int, ...], strides: tuple[int, ...], extent: int | None = None
) -> list[int]:
    """Return the axes that move, the longest stride first; a tie keeps longer axes first.

    With `extent`, axes of length 1 whose stride steps over the whole tensor are among them.
    """
    axes = [
        axis
        for axis, (size, stride) in enumerate(zip(shape, strides, strict=True))
        if stride and (size > 1 or (extent is not None and stride >= max(1, extent)))
    ]
    return sorted(axes, key=lambda axis: (-strides[axis], -shape[axis]))


def _is_dense(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Tell whether the elements leave no gap between the first and the last."""
    covered = 1
    for axis in reversed(_by_stride(shape, strides)):
        if strides[axis] > covered:
            return False
        covered += (shape[axis] - 1) * strides[axis]
    return True


def _is_nested(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    """Tell whether each stride steps over all that the shorter ones reach."""
    reach = 1
    for axis in reversed(_by_stride(shape, strides)):
        if strides[axis] < reach:
            return False
        reach += (shape[axis] - 1) * strides[axis]
    return True


class AddressSpace:
    """The regions of one launch."""

    def __init__(self) -> None:
        self.regions: list[Region] = []
        self.storages: dict[tuple[int, int], Storage] = {}
        self._by_tensor: dict[int, Region] = {}

    def add(self, name: str, tensor: Any) -> Region:
        """Give `tensor` a region under `name`; one passed twice is two regions of one storage."""
        inner = names.unwrap(tensor)
        untyped = inner.untyped_storage()
        virtual = inner.device.type == "meta"
        address = 0 if virtual else untyped.data_ptr()
        # Tensors without storage, and those without elements, share nothing.
        key = (address, untyped.nbytes() if address else len(self.storages))
        storage = self.storages.get(key) if address else None
        if storage is None:
            storage = self.storages[key] = Storage(inner)
        storage.unit = min(storage.unit, inner.element_size())
        region = Region(name, tensor, len(self.regions), storage)
        self.regions.append(region)
        self._by_tensor[id(tensor)] = region
        return region

    def of_tensor(self, tensor: Any) -> Region | None:
        """Return the region that was made for this very object."""
        return self._by_tensor.get(id(tensor))

    def at(self, address: int) -> Region | None:
        """Return the region that the virtual `address` lies in."""
        number = (address - BASE) >> REGION_BITS
        return self.regions[number] if 0 <= number < len(self.regions) else None
