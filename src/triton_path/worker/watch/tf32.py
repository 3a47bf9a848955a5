"""TF32: what tensor cores read of a float32, 8 bits of exponent and 10 of mantissa.

`tl.dot` of float32 takes it unless told otherwise (`input_precision="tf32"`, or the older
`allow_tf32=True`, which is the same to the front end). For sm_80 to sm_120 Triton 3.4 to 3.9 hand
the float32 bits to `mma` or `wgmma` as they are: no `cvt.rna.tf32` stands in their PTX. The tensor
cores then ignore the lower 13 bits, which rounds towards zero. On an H200 (Triton 3.6, 2026-12-01)
a product with the identity was bit for bit this in `mma` and `wgmma`, in either operand; rounding
to nearest differed in half of the elements. "tf32x3" splits each operand in three products, whose
sum is nearly that of float32: it is left exact here, as "ieee" is.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triton_path.worker.triton_private import names

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array

KEPT = np.int32(-1 << 13)
"""Mask of sign, exponent and 10 bits of mantissa."""


def reads_tf32(precision: Any) -> bool:
    """Tell whether a dot of `precision`, as the front end hands it on, takes float32 as TF32."""
    return bool(precision == names.TF32)


def as_tf32(values: Array) -> Array:
    """Return what a tensor core takes float32 `values` for, as float32."""
    bits: Array = np.ascontiguousarray(values).view(np.int32) & KEPT
    return bits.view(np.float32)
