"""What a tensor descriptor must keep to, checked alike in every version of Triton.

Triton 3.4 takes strides in elements for strides in bytes, and all versions answer with a bare
assertion.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from triton_path.worker.triton_private.names import interpreter
from triton_path.worker.watch.stops import Halt

if TYPE_CHECKING:
    from triton_path.worker.triton_private.patching import Patches

ALIGNMENT = 16
"""Bytes."""


def patch_descriptors(patches: Patches) -> None:
    """Replace the checks of the interpreter's descriptors."""
    handle = interpreter.TensorDescHandle
    stock = handle.materialize_pointers

    def pointers(self: Any, offsets: list[Any]) -> Any:
        size = self.base.dtype.element_ty.primitive_bitwidth // 8
        start = int(offsets[-1].data.reshape(-1)[0]) * size
        if start % ALIGNMENT:
            _refuse("blocks that start at a multiple of 16 bytes", f"this one starts at {start}")
        return stock(self, offsets)

    patches.put(handle, "validate", _validate)
    patches.put(handle, "materialize_pointers", pointers)


def _validate(self: Any) -> None:
    size = self.base.dtype.element_ty.primitive_bitwidth // 8
    if int(self.base.data.reshape(-1)[0]) % ALIGNMENT:
        _refuse("a tensor that starts at a multiple of 16 bytes", "this one does not")
    steps = [int(stride.data.reshape(-1)[0]) for stride in self.strides]
    if steps[-1] != 1:
        _refuse("a last axis without gaps", f"its stride is {steps[-1]}")
    for axis, step in enumerate(steps[:-1]):
        if step * size % ALIGNMENT:
            _refuse("strides of multiples of 16 bytes", f"axis {axis} has {step * size}")


def _refuse(needs: str, has: str) -> None:
    raise Halt("descriptor-misaligned", needs=needs, has=has)
