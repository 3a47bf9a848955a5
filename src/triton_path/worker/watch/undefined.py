"""Memory that nobody filled: what `torch.empty` gives until a kernel or an operation writes it."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import numpy as np
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from triton_path.worker.triton_private import names
from triton_path.worker.watch.memory import Storage, offsets_of

if TYPE_CHECKING:
    from collections.abc import Collection

    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.access import Part, Resolved
    from triton_path.worker.watch.memory import Region
    from triton_path.worker.watch.places import Site
    from triton_path.worker.watch.run import Run

MAKES_NOTHING = frozenset(
    {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided"}
)


@dataclass
class Written:
    """What is known about one storage whose elements must all be written."""

    unit: int
    """Bytes for each entry of `done`."""
    undefined: bool
    """Whether it held nothing; False for an output named in the options."""
    done: Array
    """bool for each unit: a kernel wrote it."""
    keep: Any
    """The tensor, so that its address is not used again while it is watched."""
    stores: dict[tuple[int, Site], tuple[Region, int]] = field(default_factory=dict)
    """For each argument and line that stored: the argument and its launch."""
    passed: list[tuple[Region, int]] = field(default_factory=list)
    """A named output as it was passed to launches."""
    given: tuple[Region, int] | None = None
    """Memory that held nothing, as it was passed to the last launch."""
    read: bool = False
    """Whether a kernel read it."""
    uses: dict[tuple[Any, ...], None] = field(default_factory=dict)
    """Offset, shape and strides of what torch operations read of it."""


class UndefinedMemory(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Follows torch operations while it is entered, and the kernels' accesses."""

    def __init__(self, outputs: tuple[str, ...]) -> None:
        """Start with nothing known; the arguments `outputs` must be written in any case."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.outputs = outputs
        self.storages: dict[int, Written] = {}
        self.launch = -1
        self.findings: Any = None
        self.judges = True
        """Whether loads of what nobody filled are reported now."""

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Run the operation; note tensors without content, and those that got some."""
        if self.storages and not func.is_view:
            self._used([*args, *(kwargs or {}).values()])
        result = func(*args, **(kwargs or {}))
        if func.namespace == "aten" and func._schema.name.removeprefix("aten::") in MAKES_NOTHING:
            self._made(result)
        elif func._schema.is_mutable:
            self._forget([*args, *(kwargs or {}).values()])
        elif self.storages and not func.is_view:
            self._forget([result])
        return result

    def _made(self, tensor: Any) -> None:
        address = _address(tensor)
        if address:
            unit = tensor.element_size()
            size = -(-tensor.untyped_storage().nbytes() // unit)
            self.storages[address] = Written(unit, True, np.zeros(size, dtype=bool), tensor)

    def _used(self, values: list[Any]) -> None:
        for value in tree_leaves(values):
            if names.is_tensor(value) and (record := self.storages.get(_address(value))):
                size, start = value.element_size(), value.storage_offset()
                record.uses[size, start, tuple(value.shape), tuple(value.stride())] = None

    def _forget(self, values: list[Any]) -> None:
        for value in tree_leaves(values):
            if names.is_tensor(value):
                self.storages.pop(_address(value), None)

    def start_launch(self, launch: int, regions: list[Region]) -> None:
        """Begin a launch; arguments named as outputs are judged from here on."""
        self.launch = launch
        self.judges = True
        for region in regions:
            if region.name in self.outputs and not region.storage.virtual:
                storage = region.storage
                record = self.storages.get(storage.address)
                if record is None:
                    done = np.zeros(-(-storage.nbytes // region.itemsize), dtype=bool)
                    record = Written(region.itemsize, False, done, storage.tensor)
                    self.storages[storage.address] = record
                record.passed.append((region, launch))
            elif record := self._record(region.storage):
                record.given = (region, launch)

    def _record(self, storage: Storage) -> Written | None:
        return self.storages.get(storage.address) if self.storages else None

    def read(self, run: Run, access: Resolved, part: Part) -> None:
        """Report a load or atomic of elements that hold nothing."""
        record = self._record(part.region.storage)
        if record is None or not record.undefined or not self.judges:
            return
        record.read = True
        units = _units(part, record.unit)
        missing = ~record.done[units]
        if missing.any():
            lanes = np.flatnonzero(missing) // max(1, units.size // part.offsets.size)
            self.findings.race("uninitialised-read", access, part, lanes)

    def written(self, part: Part, site: Site) -> None:
        """Note a store or atomic."""
        record = self._record(part.region.storage)
        if record is None:
            return
        record.done[_units(part, record.unit)] = True
        record.stores[id(part.region), site] = (part.region, self.launch)

    def forget_holes(self, launch: int) -> None:
        """Fill with zeros what `launch`, of which few programs ran, left open, and forget it."""
        left = [
            address
            for address, record in self.storages.items()
            if any(number == launch for _, number in record.stores.values())
        ]
        for address in left:
            record = self.storages.pop(address)
            if record.undefined:
                zeroed(record)

    def unwritten(
        self, idle: Collection[int] | None = None
    ) -> list[tuple[Region, Array, Site | None, int]]:
        """Return the arguments with elements that nobody wrote.

        For each: the flat positions among its elements, the last line that stored to it, and
        the launch. A tensor that no kernel touched is left out unless it is a named output, or
        - if `idle` is given - the host reads it or its launch is one of those, which stored
        nothing anywhere; so is one that is larger than needed, of which the host reads only what
        was written.
        """
        found: list[tuple[Region, Array, Site | None, int]] = []
        for record in self.storages.values():
            if record.stores:
                (_, site), (region, launch) = max(
                    record.stores.items(), key=lambda entry: (entry[1][0].numel, entry[1][1])
                )
                found += _missing(record, region, site, launch)
            elif record.passed:
                region, launch = record.passed[-1]
                found += _missing(record, region, None, launch)
            elif idle is not None and record.given and not record.read:
                region, launch = record.given
                if record.uses or launch in idle:
                    found += _missing(record, region, None, launch)
        return found


def zeroed(record: Written) -> None:
    """Fill the entries of a storage that no kernel wrote with zeros: no later launch trips."""
    storage = Storage(names.unwrap(record.keep))
    whole = storage.bytes[: storage.nbytes // record.unit * record.unit]
    whole.reshape(-1, record.unit)[~record.done[: whole.size // record.unit]] = 0


def _missing(
    record: Written, region: Region, site: Site | None, launch: int
) -> list[tuple[Region, Array, Site | None, int]]:
    units = (region.offsets() * region.itemsize + region.start) // record.unit
    holes = ~record.done
    if not holes.any():
        return []
    if record.uses and not record.passed:
        used = np.zeros(holes.size, dtype=bool)
        for size, offset, shape, strides in record.uses:
            used[(offsets_of(shape, strides) + offset) * size // record.unit] = True
        holes &= used
    missing = np.flatnonzero(holes[units.reshape(-1)])
    return [(region, missing, site, launch)] if missing.size else []


def _address(tensor: Any) -> int:
    try:
        return int(names.unwrap(tensor).untyped_storage().data_ptr())
    except (RuntimeError, NotImplementedError):  # fake or sparse tensors have none
        return 0


def _units(part: Part, unit: int) -> Array:
    size = part.dtype.itemsize
    if size == unit:
        first = part.region.start // unit
        return part.offsets + first if first else part.offsets
    start = part.offsets * size + part.region.start
    if size < unit:
        return start // unit
    return (start[:, None] // unit + np.arange(size // unit)).reshape(-1)
