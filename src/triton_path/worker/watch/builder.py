"""The builder that interpreted kernels run on while they are watched.

`interpreter.interpreter_builder` is made an object of this class for as long as a watch lasts.
Arguments that versions of Triton added at the end of a method are taken and not looked at.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np

from triton_path.worker.triton_private import names
from triton_path.worker.triton_private.names import TensorHandle, numpy_type
from triton_path.worker.watch import atomics
from triton_path.worker.watch.access import BadAccess
from triton_path.worker.watch.libdevice import compute
from triton_path.worker.watch.numerics import Numerics
from triton_path.worker.watch.overflow import Overflow

if TYPE_CHECKING:
    from triton_path.worker.watch.run import Run


class WatchBuilder(Overflow, Numerics):
    """Hands memory operations to `run`; the other bases mend arithmetic and follow overflow."""

    run: Run
    """The run of a launch that goes on now."""
    follows_overflow = True
    quiet = False
    """Whether `tl.device_print` says nothing, since the launch is only run again."""

    _padded = False

    def create_load(self, ptr: Any, *_rest: Any, **_named: Any) -> Any:
        """Load without a mask."""
        return self._load(ptr, None, None)

    def create_masked_load(self, ptrs: Any, mask: Any, other: Any, *_rest: Any, **_n: Any) -> Any:
        """Load with a mask."""
        return self._load(ptrs, mask, other)

    def _load(self, ptrs: Any, mask: Any, other: Any) -> Any:
        element = ptrs.get_element_ty()
        fill = None if other is None else other.data
        data = self.run.load(ptrs, mask, fill, numpy_type(element), padded=self._padded)
        return TensorHandle(data, element)

    def create_store(self, ptr: Any, val: Any, *_rest: Any, **_named: Any) -> Any:
        """Store without a mask."""
        self.run.store(ptr, val.data, None, numpy_type(ptr.get_element_ty()))

    def create_masked_store(self, ptrs: Any, value: Any, mask: Any, *_r: Any, **_n: Any) -> Any:
        """Store with a mask."""
        self.run.store(ptrs, value.data, mask, numpy_type(ptrs.get_element_ty()))

    def _with_padding(self, method: Any, *args: Any, **named: Any) -> Any:
        """Run a stock method whose masked lanes hold what the language says they hold."""
        before, self._padded = self._padded, True
        try:
            return method(*args, **named)
        except BadAccess as bad:
            bad.described = True
            raise
        finally:
            self._padded = before

    def create_tensor_pointer_load(self, *args: Any, **named: Any) -> Any:
        """Load through a block pointer (until Triton 3.7)."""
        return self._with_padding(super().create_tensor_pointer_load, *args, **named)

    def create_tensor_pointer_store(self, *args: Any, **named: Any) -> Any:
        """Store through a block pointer (until Triton 3.7)."""
        return self._with_padding(super().create_tensor_pointer_store, *args, **named)

    def create_descriptor_load(self, *args: Any, **named: Any) -> Any:
        """Load through a descriptor."""
        return self._with_padding(super().create_descriptor_load, *args, **named)

    def create_int_to_ptr(self, src: Any, dst_type: Any) -> Any:
        """Make an address that was kept in a tensor a pointer."""
        result = self.create_bitcast(src, dst_type)
        result.data = self.run.table.translate(result.data)
        return result

    def create_descriptor_store(self, *args: Any, **named: Any) -> Any:
        """Store through a descriptor."""
        return self._with_padding(super().create_descriptor_store, *args, **named)

    def create_atomic_cas(self, ptr: Any, cmp: Any, val: Any, sem: Any, *_rest: Any) -> Any:
        """Compare and swap."""
        dtype = numpy_type(ptr.get_element_ty())
        data = self.run.atomic(
            ptr, None, dtype, sem, atomics.compare_and_swap, (cmp.data, val.data)
        )
        return TensorHandle(data, cmp.dtype.scalar)

    def create_atomic_rmw(
        self, rmw_op: Any, ptr: Any, val: Any, mask: Any, sem: Any, *_rest: Any
    ) -> Any:
        """Read, modify and write."""
        data = self.run.read_modify_write(rmw_op, ptr, val, mask, sem)
        return TensorHandle(data, val.dtype.scalar)

    def create_atomic_load(self, ptr: Any, mask: Any, sem: Any, *_rest: Any) -> Any:
        """Load atomically (from Triton 3.9)."""
        dtype = numpy_type(ptr.get_element_ty())
        data = self.run.atomic(ptr, mask, dtype, sem, _read, ())
        return TensorHandle(data, ptr.get_element_ty())

    def create_atomic_store(self, ptr: Any, val: Any, mask: Any, sem: Any, *_rest: Any) -> Any:
        """Store atomically (from Triton 3.9)."""
        self.run.read_modify_write(names.ATOMICS.XCHG, ptr, val, mask, sem)

    def create_atomic_poll(
        self, ptr: Any, expected: Any, timeout_ns: Any, sem: Any, *_rest: Any
    ) -> Any:
        """Wait for a value (from Triton 3.9): here it is there already or never comes."""
        dtype = numpy_type(ptr.get_element_ty())
        found = self.run.atomic(ptr, None, dtype, sem, _read, ())
        matched = found == expected.data
        if timeout_ns is None and not matched.all():
            self.run.halt("waits-for-another-program")
        return TensorHandle(matched, names.true_or_false(True).handle.dtype)

    def create_barrier(self) -> Any:
        """Order the lanes of the program."""
        self.run.barrier()

    def create_assert(self, condition: Any, message: Any) -> Any:
        """Stop unless every lane holds."""
        self._require("device-assert", condition, str(message))

    def create_assume(self, condition: Any) -> Any:
        """Stop where the compiler would be told a falsehood."""
        self._require("false-assumption", condition, "")

    def _require(self, kind: Any, condition: Any, message: str) -> None:
        data = np.atleast_1d(condition.data)
        if not data.all():
            failing = np.argwhere(~data.astype(bool))
            self.run.halt(
                kind,
                message=message,
                lane=tuple(int(part) for part in failing[0]),
                failing=len(failing),
                lanes=data.size,
            )

    def create_print(self, *args: Any, **named: Any) -> Any:
        """Print, in the first run only."""
        if not self.quiet:
            super().create_print(*args, **named)

    def create_extern_elementwise(
        self, _library: Any, _path: Any, symbol: str, arguments: Any, result: Any, _pure: Any
    ) -> Any:
        """Compute a function of libdevice."""
        element = result.scalar
        data = compute(symbol, [argument.data for argument in arguments])
        return TensorHandle(np.asarray(data).astype(numpy_type(element)), element)


def _read(memory: Any, offsets: Any) -> Any:
    return memory[offsets]
