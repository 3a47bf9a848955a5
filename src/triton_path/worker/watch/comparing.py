"""Compares what two runs of a launch left in memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.utils._python_dispatch import _disable_current_modes

from triton_path.worker.triton_private.names import unwrap
from triton_path.worker.watch.wording import listed

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.launch import Launch
    from triton_path.worker.watch.memory import Region

Difference = tuple["Region", str, tuple[str, str]]
"""An argument, the index of an element as text, and its two values as text."""

TOLERANCE = {
    torch.float64: 1e-9,
    torch.float32: 1e-4,
    torch.float16: 2e-2,
    torch.bfloat16: 5e-2,
}
"""How far two orders of the same sum may lie apart, relative to the largest magnitude."""
FLOAT8_TOLERANCE = 0.3


def first_difference(launch: Launch, after: dict[int, Array], *, exact: bool) -> Difference | None:
    """Return where memory now differs from `after`, or None.

    `exact` compares bits; otherwise floats may differ by the tolerance of their dtype, and
    arguments named in `as_sets` may hold their rows in another order.
    """
    for region in launch.space.regions:
        before = after.get(id(region.storage))
        if before is None or not region.numel:
            continue
        now = region.storage.bytes
        if (before == now).all():
            continue
        with _disable_current_modes():
            found = _compare(region, before, now, launch, exact=exact)
        if found is not None:
            return region, *found
    return None


def _compare(
    region: Region, before: Array, now: Array, launch: Launch, *, exact: bool
) -> tuple[str, tuple[str, str]] | None:
    left, right = _tensor(region, before), _tensor(region, now)
    options = launch.options
    if not exact and region.name in options.as_sets:
        left, right = _sorted_rows(left), _sorted_rows(right)
    if exact:
        bits = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}[region.itemsize]
        differs = left.contiguous().view(bits) != right.contiguous().view(bits)
    elif left.dtype.is_floating_point:
        limit = options.float_tolerance
        if limit is None:
            limit = TOLERANCE.get(left.dtype, FLOAT8_TOLERANCE)
        a, b = left.double(), right.double()
        finite = torch.where(torch.isfinite(a), a.abs(), 0.0)
        close = (a - b).abs() <= limit * finite.max()
        differs = ~(close | (a == b) | (torch.isnan(a) & torch.isnan(b)))
    else:
        differs = left != right
    if not bool(differs.any()):
        return None
    where = tuple(int(part) for part in differs.nonzero()[0])
    return listed(where) if where else "", (_text(left[where]), _text(right[where]))


def _tensor(region: Region, memory: Array) -> torch.Tensor:
    """Return the argument as a tensor over a copy of its storage."""
    inner = unwrap(region.tensor)
    flat = torch.from_numpy(memory[region.start :].copy())
    usable = flat.numel() // region.itemsize * region.itemsize
    return flat[:usable].view(inner.dtype).as_strided(region.shape, region.strides)


def _sorted_rows(tensor: torch.Tensor) -> torch.Tensor:
    """Return the rows (elements of a vector) in sorted order."""
    rows = tensor.reshape(tensor.shape[0], -1)
    return torch.tensor(sorted(rows.tolist()), dtype=tensor.dtype).reshape(tensor.shape)


def _text(value: torch.Tensor) -> str:
    number = value.item()
    return f"{number:g}" if isinstance(number, float) else str(number)
