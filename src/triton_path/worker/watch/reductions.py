"""Reductions and scans as the interpreter should do them.

Sums, extremes and scans of bfloat16 are done in float32 and rounded once at the end. A combination
that a learner wrote is applied to whole blocks: element by element, as the interpreter does it, a
LayerNorm by Welford's formulas takes a minute.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import triton.language as tl

from triton_path.worker.triton_private.names import ReduceOps, ScanOps, TensorHandle
from triton_path.worker.watch.bfloat16 import to_bfloat16
from triton_path.worker.watch.numerics import is_bfloat16, widened
from triton_path.worker.watch.stops import Halt

if TYPE_CHECKING:
    from triton_path.worker.triton_private.patching import Patches


def mend_reductions(patches: Patches) -> None:
    """Replace the paths of reductions and scans that NumPy does on the bits, and the slow one."""
    for owner, method in ((ReduceOps, "sum"), (ReduceOps, "min_max")):
        patches.put(owner, method, _in_float32(getattr(owner, method)))
    for method in ("cumsum", "cumprod"):
        patches.put(ScanOps, method, _in_float32(getattr(ScanOps, method)))
    patches.put(ReduceOps, "generic_reduce", _by_blocks(ReduceOps.generic_reduce))


def _by_blocks(stock: Any) -> Any:
    """Return a reduction that combines neighbours pair by pair, as the tree of a GPU does."""

    def replacement(self: Any, value: Any) -> Any:
        try:
            return _tree(self, value)
        except Halt:
            # Between two numbers, a combination may ask which is larger with an `if`.
            return stock(self, value)

    return replacement


def _tree(reduction: Any, value: Any) -> list[Any]:
    parts, axis = reduction.unravel(value, reduction.axis)
    dtypes = [part.dtype for part in parts]
    blocks = [np.moveaxis(part.handle.data, axis, 0) for part in parts]
    while len(blocks[0]) > 1:  # a block has 2^n elements
        halves = [block[side::2] for side in (0, 1) for block in blocks]
        pairs = zip(halves, dtypes * 2, strict=True)
        combined = reduction.combine_fn.fn(*(reduction.to_tensor(*pair) for pair in pairs))
        combined = combined if isinstance(combined, tuple) else (combined,)
        blocks = [
            np.broadcast_to(_data(part), half.shape).astype(half.dtype)
            for part, half in zip(combined, halves, strict=False)
        ]
    return [
        reduction.to_tensor(_packed(reduction, block[0], axis, value[0]), dtype)
        for block, dtype in zip(blocks, dtypes, strict=True)
    ]


def _data(part: Any) -> Any:
    return part.handle.data if isinstance(part, tl.tensor) else part


def _packed(reduction: Any, data: Any, axis: int, given: Any) -> Any:
    """Give the result the shape that `tl.reduce` returns."""
    if not reduction.keep_dims:
        return data
    if reduction.axis is None:
        return np.reshape(data, [1] * len(given.shape))
    return np.expand_dims(data, axis)


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
