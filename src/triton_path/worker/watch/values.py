"""The values that the active lanes of an access read or write."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.access import Part, Resolved


def gather(access: Resolved, dtype: np.dtype[Any]) -> Array:
    """Return the values of all active lanes, flat."""
    if len(access.parts) == 1:
        return _take(access.parts[0])
    values = np.zeros(access.active_count, dtype=dtype)
    for part in access.parts:
        values[part.lanes] = _take(part)
    return values


def _take(part: Part) -> Array:
    if part.region.storage.virtual:
        return np.zeros(part.offsets.size, dtype=part.dtype)
    return part.region.view(part.dtype)[part.offsets]


def active_values(values: Array, access: Resolved, dtype: np.dtype[Any]) -> Array:
    """Return the values of the active lanes, flat, in the memory's type."""
    block = values if values.shape == access.shape else np.broadcast_to(values, access.shape)
    if block.dtype != dtype:
        block = block.astype(dtype) if block.itemsize != dtype.itemsize else block.view(dtype)
    return block.reshape(-1) if access.active is None else block[access.active]
