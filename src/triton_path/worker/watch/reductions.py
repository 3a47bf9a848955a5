"""Sums, extremes and scans of bfloat16: done in float32, rounded once at the end."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import triton.language as tl

from triton_path.worker.triton_private.names import ReduceOps, ScanOps, TensorHandle
from triton_path.worker.watch.bfloat16 import to_bfloat16
from triton_path.worker.watch.numerics import is_bfloat16, widened

if TYPE_CHECKING:
    from triton_path.worker.triton_private.patching import Patches


def mend_reductions(patches: Patches) -> None:
    """Replace the fast paths of reductions and scans, which NumPy does on the bits.

    Only those: a combination written by a learner runs element by element and rounds itself.
    """
    for owner, method in ((ReduceOps, "sum"), (ReduceOps, "min_max")):
        patches.put(owner, method, _in_float32(getattr(owner, method)))
    for method in ("cumsum", "cumprod"):
        patches.put(ScanOps, method, _in_float32(getattr(ScanOps, method)))


def _in_float32(stock: Any) -> Any:
    def replacement(self: Any, value: Any, *rest: Any, **named: Any) -> Any:
        inner = value[0] if isinstance(value, tuple) else value
        if not is_bfloat16(inner.handle):
            return stock(self, value, *rest, **named)
        wide = tl.tensor(
            widened(inner.handle),
            inner.type.with_element_ty(tl.float32) if inner.type.is_block() else tl.float32,
        )
        return _back(stock(self, wide, *rest, **named))

    return replacement


def _back(result: Any) -> Any:
    if isinstance(result, (tuple, list)):
        return type(result)(_back(part) for part in result)
    if not result.dtype.is_fp32():
        return result  # the index of an extreme
    handle = TensorHandle(to_bfloat16(result.handle.data), tl.bfloat16)
    kind = result.type
    return tl.tensor(handle, kind.with_element_ty(tl.bfloat16) if kind.is_block() else tl.bfloat16)
