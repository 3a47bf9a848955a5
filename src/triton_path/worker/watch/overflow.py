"""Follows 32-bit offsets that wrapped, until they reach a pointer.

Wrapping is what a hash wants, and a masked lane may hold anything. So an overflow is no fault
where it happens: the exact value travels along with the wrapped one through sums, products and
changes of shape, and counts when an active lane of an access uses it. Other operations, `%` and
bit operations among them, drop it.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import triton.language as tl

from triton_path.worker.triton_private import names
from triton_path.worker.triton_private.names import TensorHandle

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array

_LIMITS = {
    np.dtype(np.int32): (-(1 << 31), (1 << 31) - 1),
    np.dtype(np.uint32): (0, (1 << 32) - 1),
}


def _bounds(handle: Any) -> tuple[int, int]:
    """Return the least and greatest value of a handle of integers, found once."""
    known: tuple[int, int] | None = getattr(handle, "bounds", None)
    if known is None:
        data = handle.data
        if data.size == 1:
            value = int(data.flat[0])
            known = (value, value)
        elif data.size == 0:
            known = (0, 0)
        else:
            known = (int(data.min()), int(data.max()))
        handle.bounds = known
    return known


def _exact(handle: Any) -> Array:
    found: Array | None = getattr(handle, "exact", None)
    return handle.data.astype(np.int64) if found is None else found


def _tainted(handle: Any) -> bool:
    return hasattr(handle, "exact")


def _carry(source: Any, result: Any, change: Any) -> Any:
    """Take the facts of `source` over to `result`, whose lanes are `change`d in place or shape."""
    if hasattr(source, "bounds"):
        result.bounds = source.bounds
    if hasattr(source, "exact"):
        result.exact = change(source.exact)
    if hasattr(source, "wrapped"):
        result.wrapped = change(source.wrapped)
    return result


class Overflow(names.Builder):  # type: ignore[misc]
    """Adds the exact values to the builder's operations on offsets."""

    def _integer(self, lhs: Any, rhs: Any, op: Any) -> Any:
        result = self.binary_op(lhs, rhs, op)
        if not self.follows_overflow:
            return result
        if not (_tainted(lhs) or _tainted(rhs)):
            limits = _LIMITS.get(result.data.dtype)
            if limits is None:
                return result
            (a, b), (c, d) = _bounds(lhs), _bounds(rhs)
            if op is np.add:
                low, high = a + c, b + d
            elif op is np.subtract:
                low, high = a - d, b - c
            else:
                corners = (a * c, a * d, b * c, b * d)
                low, high = min(corners), max(corners)
            if low >= limits[0] and high <= limits[1]:
                result.bounds = (low, high)
                return result
        exact = op(_exact(lhs), _exact(rhs))
        if (exact != result.data).any():
            result.exact = exact
        return result

    def create_add(self, lhs: Any, rhs: Any) -> Any:
        """Add integers."""
        return self._integer(lhs, rhs, np.add)

    def create_sub(self, lhs: Any, rhs: Any) -> Any:
        """Subtract integers."""
        return self._integer(lhs, rhs, np.subtract)

    def create_mul(self, lhs: Any, rhs: Any) -> Any:
        """Multiply integers."""
        return self._integer(lhs, rhs, np.multiply)

    def create_int_cast(self, src: Any, dst_type: Any, is_signed: bool) -> Any:
        """Convert between integers; widening comes too late for a value that wrapped before."""
        result = self.cast_impl(src, dst_type)
        if _tainted(src) and dst_type.scalar.int_bitwidth >= 32:
            result.exact = src.exact
        return result

    def create_addptr(self, ptr: Any, offset: Any) -> Any:
        """Move pointers by elements."""
        size = max(1, ptr.get_element_ty().primitive_bitwidth // 8)
        steps = offset.data.astype(np.uint64)
        data = ptr.data + (steps if size == 1 else steps * np.uint64(size))
        result = TensorHandle(data, ptr.dtype)
        if _tainted(offset):
            result.wrapped = np.broadcast_to(offset.exact != offset.data, data.shape)
            result.exact = np.broadcast_to(offset.exact, data.shape)
            if hasattr(ptr, "wrapped"):
                result.wrapped = result.wrapped | ptr.wrapped
        elif hasattr(ptr, "wrapped"):
            result.wrapped = np.broadcast_to(ptr.wrapped, data.shape)
            result.exact = np.broadcast_to(ptr.exact, data.shape)
        return result

    def create_select(self, cond: Any, lhs: Any, rhs: Any) -> Any:
        """Choose lanes by `cond`."""
        result = self.ternary_op(cond, lhs, rhs, np.where)
        if _tainted(lhs) or _tainted(rhs):
            if hasattr(lhs, "wrapped") or hasattr(rhs, "wrapped"):
                flags = [getattr(side, "wrapped", False) for side in (lhs, rhs)]
                exact = [getattr(side, "exact", 0) for side in (lhs, rhs)]
                result.wrapped = np.where(cond.data, *flags)
                result.exact = np.where(cond.data, *exact)
            else:
                result.exact = np.where(cond.data, _exact(lhs), _exact(rhs))
        return result

    def create_bitcast(self, src: Any, dst_type: Any) -> Any:
        """Read bits as another type; a pointer stays where it points."""
        data = src.data
        target = names.numpy_type(dst_type.scalar)
        result = TensorHandle(data if data.dtype == target else data.view(target), dst_type.scalar)
        return _carry(src, result, lambda array: array) if dst_type.scalar.is_ptr() else result

    create_int_to_ptr = create_ptr_to_int = create_bitcast

    def create_expand_dims(self, arg: Any, axis: int) -> Any:
        """Add an axis of length 1."""
        result = TensorHandle(np.expand_dims(arg.data, axis), arg.dtype.scalar)
        return _carry(arg, result, lambda array: np.expand_dims(array, axis))

    def create_broadcast(self, arg: Any, shape: Any) -> Any:
        """Repeat lanes up to `shape`."""
        result = TensorHandle(np.broadcast_to(arg.data, shape), arg.dtype.scalar)
        return _carry(arg, result, lambda array: np.broadcast_to(array, shape))

    def create_splat(self, ret_ty: Any, arg: Any) -> Any:
        """Repeat a scalar up to the shape of `ret_ty`, which is a type."""
        shape = ret_ty.shape
        result = TensorHandle(np.broadcast_to(arg.data.reshape(-1)[0], shape), arg.dtype.scalar)
        return _carry(arg, result, lambda array: np.broadcast_to(array.reshape(-1)[0], shape))

    def create_reshape(self, arg: Any, shape: Any, allow_reorder: bool) -> Any:
        """Give the lanes another shape."""
        result = TensorHandle(arg.data.reshape(shape), arg.dtype.scalar)
        return _carry(arg, result, lambda array: array.reshape(shape))

    def create_trans(self, arg: Any, perm: Any) -> Any:
        """Reorder axes."""
        result = TensorHandle(np.transpose(arg.data, perm), arg.dtype.scalar)
        return _carry(arg, result, lambda array: np.transpose(array, perm))

    def create_make_range(self, ret_ty: Any, start: int, stop: int) -> Any:
        """Return start, start + 1, ..., stop - 1."""
        result = TensorHandle(np.arange(start, stop, dtype=np.int32), tl.int32)
        result.bounds = (start, max(start, stop - 1))
        return result
