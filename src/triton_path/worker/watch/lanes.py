"""How the lanes of a block lie in memory: the sectors they fetch, and their distance."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array

WARP = 32
"""Lanes that fetch together, in this model."""
SECTOR = 32
"""Bytes that a GPU's memory gives at once."""


def sectors_of(
    addresses: Array, active: Array | None, itemsize: int, order: list[int] | None = None
) -> int:
    """Return the sectors that a block of addresses fetches, in the model of `LineCount`.

    `order` has the block's axes as `fastest_last` gives them, if that is known already.
    """
    order = fastest_last(addresses) if order is None else order
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


def fastest_last(addresses: Array) -> list[int]:
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


def stride_of(addresses: Array, itemsize: int, order: list[int]) -> int | None:
    """Return the distance in elements from lane to lane along the last axis of `order`.

    None where it is not the same everywhere, or where that axis has one lane.
    """
    block = addresses.transpose(order)
    if not block.ndim or block.shape[-1] < 2:
        return None
    steps = block[..., 1:] - block[..., :-1]
    first = steps.flat[0]
    if bool((steps != first).any()):
        return None
    distance = int(first.view(np.int64))
    return distance // itemsize if distance % itemsize == 0 else None
