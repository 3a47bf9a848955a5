"""Read-modify-write in NumPy: lanes that meet at one address take turns."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triton_path.worker.triton_private import names
from triton_path.worker.watch.bfloat16 import from_bfloat16, to_bfloat16

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.worker.triton_private.names import Array

_PLAIN: dict[Any, Callable[[Array, Array], Array]] = {
    names.ATOMICS.ADD: np.add,
    names.ATOMICS.FADD: np.add,
    names.ATOMICS.MIN: np.minimum,
    names.ATOMICS.MAX: np.maximum,
    names.ATOMICS.AND: np.bitwise_and,
    names.ATOMICS.OR: np.bitwise_or,
    names.ATOMICS.XOR: np.bitwise_xor,
    names.ATOMICS.XCHG: lambda _old, new: new,
}
_UNSIGNED: dict[Any, Callable[[Array, Array], Array]] = {
    names.ATOMICS.UMIN: np.minimum,
    names.ATOMICS.UMAX: np.maximum,
}


def operation(which: Any, *, bfloat16: bool) -> Callable[[Array, Array], Array]:
    """Return the function from old and given values to new ones, in the memory's own bits."""
    if which in _UNSIGNED:
        chosen = _UNSIGNED[which]

        def unsigned(old: Array, new: Array) -> Array:
            bits = f"u{old.dtype.itemsize}"
            return chosen(old.view(bits), new.view(bits)).view(old.dtype)

        return unsigned
    plain = _PLAIN[which]
    if not bfloat16 or which == names.ATOMICS.XCHG:
        return plain
    return lambda old, new: to_bfloat16(plain(from_bfloat16(old), from_bfloat16(new)))


def apply(
    memory: Array, offsets: Array, values: Array, change: Callable[[Array, Array], Array]
) -> Array:
    """Change `memory` at the flat `offsets`, in lane order, and return what each lane found."""
    if offsets.size < 2 or np.unique(offsets).size == offsets.size:
        old: Array = memory[offsets]
        memory[offsets] = change(old, values)
        return old
    old = np.empty_like(values, dtype=memory.dtype)
    waiting = np.arange(offsets.size)
    while waiting.size:
        # The first lane of each address goes now, the others in the next round.
        _, first = np.unique(offsets[waiting], return_index=True)
        going = waiting[np.sort(first)]
        places = offsets[going]
        old[going] = memory[places]
        memory[places] = change(old[going], values[going])
        waiting = np.setdiff1d(waiting, going, assume_unique=True)
    return old


def compare_and_swap(memory: Array, offsets: Array, expected: Array, values: Array) -> Array:
    """Store `values` where `memory` equals `expected`, bit for bit; return what was found."""
    bits = f"u{memory.dtype.itemsize}"

    def change(old: Array, lanes: Array) -> Array:
        chosen = lanes.astype(np.int64)
        same = old.view(bits) == expected[chosen].view(bits)
        return np.where(same, values[chosen], old)

    if np.unique(offsets).size == offsets.size:
        old: Array = memory[offsets]
        memory[offsets] = change(old, np.arange(offsets.size))
        return old
    old = np.empty(offsets.size, dtype=memory.dtype)
    for lane in range(offsets.size):
        old[lane] = memory[offsets[lane]]
        memory[offsets[lane]] = change(old[lane : lane + 1], np.array([lane]))[0]
    return old
