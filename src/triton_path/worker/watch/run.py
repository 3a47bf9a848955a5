"""One run of a launch's grid: the memory operations of the kernel, each checked and recorded."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triton_path.worker.triton_private import names
from triton_path.worker.watch import atomics
from triton_path.worker.watch.access import BadAccess, Resolved, mask_data, resolve
from triton_path.worker.watch.places import current_site
from triton_path.worker.watch.stops import Halt
from triton_path.worker.watch.values import active_values, gather
from triton_path.worker.watch.waiting import Waiting

if TYPE_CHECKING:
    from triton_path.jobs.watch import Access, Kind, Triple
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.counting import Counter
    from triton_path.worker.watch.memory import AddressSpace, Storage
    from triton_path.worker.watch.places import Site
    from triton_path.worker.watch.poison import Poison
    from triton_path.worker.watch.races import RaceWatch
    from triton_path.worker.watch.tables import AddressTable
    from triton_path.worker.watch.undefined import UndefinedMemory

TO_LEARNER = 5
"""Frames from `current_site` up to Triton's own code; nearer ones need not be looked at."""

MOST_KEPT = 1 << 28
"""Bytes of a storage that is kept as it was, to run the launch again: 256 MiB."""


class Run:
    """What the builder hands every memory operation to."""

    def __init__(
        self,
        space: AddressSpace,
        table: AddressTable,
        *,
        races: RaceWatch | None,
        counter: Counter | None,
        undefined: UndefinedMemory | None,
        poison: Poison | None,
        originals: dict[int, tuple[Storage, Array]] | None,
    ) -> None:
        """Prepare one run in `space`; each part that is None is not wanted in this run.

        `originals` collects the content that storages had before the launch.
        """
        self.space = space
        self.table = table
        self.races = races
        self.counter = counter
        self.undefined = undefined
        self.poison = poison
        self.originals = originals
        self.waiting = Waiting()
        self.program: Triple = (0, 0, 0)
        self.grid: Triple = (1, 1, 1)
        self.dot_flops = 0
        self.too_large: Storage | None = None
        """A storage that was written to and is too large to be kept for another run."""
        self.unspecified: dict[Site, str] = {}
        """Loads that had masked lanes and no `other`, with the argument they read."""
        self.writers: dict[int, dict[Site, None]] = {}
        """Lines that wrote to each storage."""
        self.was_read: set[int] = set()
        """Storages that were read."""
        self.started = 0

    def start_program(self, program: Triple) -> None:
        """Begin `program`."""
        self.program = program
        self.started += 1
        self.waiting.start_program()
        if self.races is not None:
            self.races.start_program()
        if self.counter is not None:
            self.counter.start_program(self.linear)

    @property
    def linear(self) -> int:
        """The current program's position in the grid, first axis fastest."""
        x, y, z = self.program
        return x + self.grid[0] * (y + self.grid[1] * z)

    def _resolve(self, kind: Access, pointers: Any, mask: Any, dtype: np.dtype[Any]) -> Resolved:
        addresses: Array = pointers.data
        active = mask_data(mask, addresses.shape)
        # The front end gives every atomic a mask.
        masked = mask is not None and (kind != "atomic" or active is not None)
        wrapped = getattr(pointers, "wrapped", None)
        if wrapped is not None:
            self._refuse_wrapped(kind, pointers, active, masked=masked)
        return resolve(self.space, kind, addresses, active, dtype, masked=masked)

    def _refuse_wrapped(
        self, kind: Access, pointers: Any, active: Array | None, *, masked: bool
    ) -> None:
        shape = pointers.data.shape
        wrapped = np.broadcast_to(pointers.wrapped, shape)
        exact = np.broadcast_to(pointers.exact, shape)
        flat = wrapped.reshape(-1) if active is None else wrapped[active]
        if flat.any():
            offsets = exact.reshape(-1) if active is None else exact[active]
            address = int(pointers.data[wrapped if active is None else wrapped & active][0])
            bad = BadAccess(
                kind, self.space.at(address), flat, offsets, active, shape, masked=masked
            )
            raise Halt("offset-overflow", access=bad)

    def load(
        self, pointers: Any, mask: Any, other: Array | None, dtype: np.dtype[Any], *, padded: bool
    ) -> Array:
        """Return what the active lanes find, with `other` in the rest.

        `padded`: a descriptor or block pointer fills its own masked lanes, so they are never
        poisoned.
        """
        access = self._resolve("load", pointers, mask, dtype)
        site = current_site(TO_LEARNER)
        if self.races is not None:
            self.races.start_access(site)
        for part in access.parts:
            self.was_read.add(id(part.region.storage))
            if self.undefined is not None:
                self.undefined.read(self, access, part)
            if self.races is not None:
                self.races.load(access, part)
            if self.counter is not None:
                self.counter.note(site, access, part, pointers.data)
        values = gather(access, dtype)
        if access.active_count == 1:
            self.waiting.note_load(site, access, values)
        else:
            self.waiting.note_progress()
        if access.active is None:
            return values.reshape(access.shape)
        if other is not None:
            result = np.array(np.broadcast_to(other, access.shape), dtype=dtype)
        else:
            result = np.zeros(access.shape, dtype=dtype)
            if not padded:
                self._leave_open(result, pointers, site)
        result[access.active] = values
        return result

    def _leave_open(self, block: Array, pointers: Any, site: Site) -> None:
        """Note masked lanes that nothing defines, and put this run's poison there."""
        if site not in self.unspecified:
            region = self.space.at(int(pointers.data.flat[0]))
            self.unspecified[site] = region.name if region else "?"
        if self.poison is not None:
            self.poison.fill(block, pointers.get_element_ty(), site)

    def store(self, pointers: Any, values: Array, mask: Any, dtype: np.dtype[Any]) -> None:
        """Store `values` through the active lanes."""
        access = self._resolve("store", pointers, mask, dtype)
        if not access.parts:
            return
        site = current_site(TO_LEARNER)
        if self.races is not None:
            self.races.start_access(site)
        flat = active_values(values, access, dtype)
        for part in access.parts:
            mine = flat if part.lanes is None else flat[part.lanes]
            self._before_writing(part.region.storage, site)
            if self.races is not None:
                self.races.store(access, part, mine)
            if self.undefined is not None:
                self.undefined.written(part, site)
            if self.counter is not None:
                self.counter.note(site, access, part, pointers.data)
            if not part.region.storage.virtual:
                part.region.view(part.dtype)[part.offsets] = mine
        self.waiting.note_progress()

    def atomic(
        self,
        pointers: Any,
        mask: Any,
        dtype: np.dtype[Any],
        semantics: Any,
        change: Any,
        operands: tuple[Array, ...],
    ) -> Array:
        """Do an atomic: `change(memory, offsets, *operands)` returns what each lane found."""
        access = self._resolve("atomic", pointers, mask, dtype)
        found = np.zeros(access.active_count, dtype=dtype)
        site = current_site(TO_LEARNER)
        if self.races is not None:
            self.races.start_access(site)
        flat = [active_values(operand, access, dtype) for operand in operands]
        changed = False
        for part in access.parts:
            self._before_writing(part.region.storage, site)
            if self.undefined is not None:
                self.undefined.read(self, access, part)
                self.undefined.written(part, site)
            if self.races is not None:
                self.races.atomic(
                    access,
                    part,
                    acquires=semantics in names.ACQUIRES,
                    releases=semantics in names.RELEASES,
                )
            if self.counter is not None:
                self.counter.note(site, access, part, pointers.data)
            if part.region.storage.virtual:
                continue
            memory = part.region.view(part.dtype)
            lanes = slice(None) if part.lanes is None else part.lanes
            found[lanes] = change(memory, part.offsets, *(operand[lanes] for operand in flat))
            changed = changed or bool((memory[part.offsets] != found[lanes]).any())
        if access.active_count:
            self.waiting.note_atomic(site, changed=changed)
        if access.active is None:
            return found.reshape(access.shape)
        result = np.zeros(access.shape, dtype=dtype)
        result[access.active] = found
        return result

    def read_modify_write(
        self, which: Any, pointers: Any, value: Any, mask: Any, semantics: Any
    ) -> Array:
        """Do `which`, one of Triton's atomic operations."""
        element = pointers.get_element_ty()
        change = atomics.operation(which, bfloat16=element.is_bf16())

        def apply(memory: Array, offsets: Array, values: Array) -> Array:
            return atomics.apply(memory, offsets, values, change)

        dtype = names.numpy_type(element)
        return self.atomic(pointers, mask, dtype, semantics, apply, (value.data,))

    def barrier(self) -> None:
        """Note `tl.debug_barrier`."""
        if self.races is not None:
            self.races.barrier()

    def halt(self, kind: Kind, **facts: object) -> None:
        """Stop the kernel; `facts` are what the sentence of `kind` needs."""
        raise Halt(kind, **facts)

    def _before_writing(self, storage: Storage, site: Site) -> None:
        self.writers.setdefault(id(storage), {})[site] = None
        originals = self.originals
        if originals is not None and not storage.virtual and id(storage) not in originals:
            if storage.nbytes > MOST_KEPT:
                self.too_large = storage
                return
            originals[id(storage)] = (storage, storage.bytes.copy())
