"""bfloat16 in NumPy, which does not know it: values are kept as the upper half of a float32."""

from __future__ import annotations

from typing import TYPE_CHECKING

import numpy as np

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array

QUIET_NAN = np.uint16(0x7FC0)


def from_bfloat16(bits: Array) -> Array:
    """Return the float32 values of uint16 `bits`, exactly."""
    wide: Array = np.asarray(bits).astype(np.uint32)
    return np.left_shift(wide, 16).view(np.float32)


def to_bfloat16(values: Array) -> Array:
    """Round to nearest, ties to even, and return uint16 bits.

    float64 is rounded once, not through float32: a value that float32 rounding would put on a
    tie first is brought off it again by its remainder.
    """
    wide = np.asarray(values)
    with np.errstate(over="ignore"):
        single = np.ascontiguousarray(wide, dtype=np.float32).reshape(wide.shape)
    bits = single.view(np.uint32)
    if wide.dtype == np.float64:
        # Round to odd: an inexact result gets its last bit set, so that no tie arises falsely.
        back = single.astype(np.float64)
        exact = (back == wide) | ~np.isfinite(single)
        toward = np.where(np.abs(back) > np.abs(wide), bits - np.uint32(1), bits)
        bits = np.where(exact, bits, toward | np.uint32(1))
    upper = np.right_shift(bits, 16)
    rounded = np.right_shift(bits + np.uint32(0x7FFF) + (upper & np.uint32(1)), 16)
    return np.where(np.isnan(single), QUIET_NAN, rounded.astype(np.uint16))
