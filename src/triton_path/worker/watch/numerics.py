"""Arithmetic of the interpreter, mended: bfloat16, TF32, fma, erf, what older versions had wrong.

Triton's interpreter computes on the bits of bfloat16. Here every operation on it is done in
float32 and rounded to nearest even; `tl.dot` and reductions round once, after accumulating in
float32.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import torch
import triton.language as tl

from triton_path.worker.triton_private import names
from triton_path.worker.triton_private.names import Array, TensorHandle, numpy_type
from triton_path.worker.watch.bfloat16 import from_bfloat16, to_bfloat16
from triton_path.worker.watch.stops import Halt
from triton_path.worker.watch.tf32 import as_tf32, reads_tf32

_UINT16 = np.dtype(np.uint16)
_BOOL = np.dtype(np.bool_)
_FLOAT8 = {"fp8e4nv": torch.float8_e4m3fn, "fp8e5": torch.float8_e5m2}
_BITWISE = frozenset({np.bitwise_and, np.bitwise_or, np.bitwise_xor})

if TYPE_CHECKING:
    from triton_path.worker.triton_private.patching import Patches


def is_bfloat16(handle: Any) -> bool:
    """Tell whether `handle` holds bfloat16; a comparison's result keeps that type by mistake."""
    return handle.data.dtype is _UINT16 and handle.dtype.scalar.is_bf16()


def widened(handle: Any) -> Any:
    """Return `handle` with bfloat16 turned into float32, anything else unchanged."""
    if is_bfloat16(handle):
        return TensorHandle(from_bfloat16(handle.data), tl.float32)
    return handle


def _rounded(data: Array) -> Any:
    """Make a handle of bfloat16; a comparison's truth values are left alone."""
    bits = data if data.dtype == np.bool_ else to_bfloat16(data)
    return TensorHandle(bits, tl.bfloat16)


class Numerics(names.Builder):  # type: ignore[misc]
    """Replaces arithmetic of Triton's builder."""

    def binary_op(self, lhs: Any, rhs: Any, op: Any) -> Any:
        """Apply the NumPy function `op` to two handles."""
        left, right = lhs.data, rhs.data
        kind = lhs.dtype.scalar
        if left.dtype is _UINT16 and kind.is_bf16():
            return _rounded(op(from_bfloat16(left), from_bfloat16(right)))
        if left.dtype is _BOOL and right.dtype is _BOOL and op not in _BITWISE:
            # One-bit integers wrap: True + True is 0 on a GPU, while NumPy saturates.
            output = (op(left.astype(np.int8), right.astype(np.int8)) & 1).astype(np.bool_)
        else:
            output = op(left, right)
        if output.itemsize > 1 and output.itemsize * 8 > kind.primitive_bitwidth:
            output = output.astype(numpy_type(kind))
        return TensorHandle(output, kind)

    def unary_op(self, arg: Any, op: Any) -> Any:
        """Apply the NumPy function `op` to a handle."""
        if is_bfloat16(arg):
            return _rounded(op(from_bfloat16(arg.data)))
        return TensorHandle(op(arg.data), arg.dtype.scalar)

    def ternary_op(self, lhs: Any, rhs: Any, other: Any, op: Any) -> Any:
        """Apply the NumPy function `op` to three handles."""
        if op is not np.where and is_bfloat16(other):
            return _rounded(op(*(from_bfloat16(part.data) for part in (lhs, rhs, other))))
        return super().ternary_op(lhs, rhs, other, op)

    def cast_impl(self, src: Any, dst_type: Any) -> Any:
        """Convert to the element type of `dst_type`."""
        to_bf16 = dst_type.scalar.is_bf16()
        if is_bfloat16(src):
            if to_bf16:
                return src
            values = from_bfloat16(src.data)
            return TensorHandle(values.astype(numpy_type(dst_type.scalar)), dst_type.scalar)
        if to_bf16:
            wide = src.data if src.data.dtype.kind == "f" else src.data.astype(np.float64)
            return TensorHandle(to_bfloat16(wide), dst_type.scalar)
        return TensorHandle(src.data.astype(numpy_type(dst_type.scalar)), dst_type.scalar)

    create_si_to_fp = create_ui_to_fp = create_fp_to_si = create_fp_to_ui = cast_impl
    create_fp_ext = create_fp_trunc = cast_impl

    def create_fp_to_fp(self, src: Any, dst_type: Any, rounding_mode: Any) -> Any:
        """Convert where float8 or a rounding mode is concerned."""
        rtne = rounding_mode is None or "RTNE" in str(rounding_mode)
        float8 = _FLOAT8.get(dst_type.scalar.name)
        if rtne and float8 is not None and src.dtype.scalar.primitive_bitwidth > 8:
            return TensorHandle(_to_float8(widened(src).data, float8), dst_type.scalar)
        if is_bfloat16(src) and dst_type.scalar.primitive_bitwidth == 8:
            return super().create_fp_to_fp(widened(src), dst_type, rounding_mode)
        if dst_type.scalar.is_bf16() and src.dtype.scalar.primitive_bitwidth == 8:
            wide = super().create_fp_to_fp(src, tl.float32, rounding_mode)
            return self.cast_impl(wide, dst_type)
        if rtne and (is_bfloat16(src) or dst_type.scalar.is_bf16()):
            return self.cast_impl(src, dst_type)
        return super().create_fp_to_fp(src, dst_type, rounding_mode)

    def get_bf16(self, value: float) -> Any:
        """Return a scalar."""
        return TensorHandle(to_bfloat16(np.array([value], dtype=np.float64)), tl.bfloat16)

    def create_fma(self, x: Any, y: Any, z: Any) -> Any:
        """Multiply and add with one rounding; float64 holds a float32 product exactly."""
        if is_bfloat16(z):
            wide = [from_bfloat16(part.data).astype(np.float64) for part in (x, y, z)]
            return _rounded(wide[0] * wide[1] + wide[2])
        product = np.multiply(x.data, y.data, dtype=np.float64)
        return TensorHandle((product + z.data).astype(z.data.dtype), z.dtype.scalar)

    def create_rsqrt(self, arg: Any) -> Any:
        """Return one over the square root."""
        return self.unary_op(arg, lambda data: (1 / np.sqrt(data)).astype(data.dtype))

    def create_erf(self, arg: Any) -> Any:
        """Return the error function."""
        return self.unary_op(arg, _erf)

    def create_dot(
        self, a: Any, b: Any, d: Any, input_precision: Any, *rest: Any, **named: Any
    ) -> Any:
        """Multiply blocks, accumulating in float32 where Triton's types are narrower.

        float32 is read as TF32 where `input_precision` says so.
        """
        run = self.run
        m, k, n = a.data.shape[-2], a.data.shape[-1], b.data.shape[-1]
        run.dot_flops += 2 * m * k * n * int(np.prod(a.data.shape[:-2], dtype=np.int64))
        if a.data.dtype == np.float32 and reads_tf32(input_precision):
            a, b = (TensorHandle(as_tf32(part.data), part.dtype) for part in (a, b))
        a, b = widened(a), widened(b)
        if d.data.dtype == np.float16 and a.data.dtype.kind == b.data.dtype.kind == "f":
            product = np.matmul(a.data, b.data, dtype=np.float32) + d.data
            return TensorHandle(product.astype(np.float16), d.dtype.scalar)
        return super().create_dot(a, b, d, input_precision, *rest, **named)

    def create_ashr(self, lhs: Any, rhs: Any) -> Any:
        """Shift right keeping the sign; before Triton 3.8 this changed its operands."""
        signed = np.dtype(f"i{lhs.data.itemsize}")
        data = np.right_shift(lhs.data.astype(signed), rhs.data.astype(signed))
        return TensorHandle(data, lhs.dtype.scalar)

    def create_umulhi(self, lhs: Any, rhs: Any) -> Any:
        """Return the upper half of an unsigned product; before 3.9 signed operands went wrong."""
        data = lhs.data
        bits = data.itemsize * 8
        if bits == 64:
            return super().create_umulhi(_unsigned(lhs), _unsigned(rhs))
        wide = f"u{data.itemsize * 2}"
        product = _unsigned(lhs).data.astype(wide) * _unsigned(rhs).data.astype(wide)
        upper = (product >> np.array(bits, dtype=wide)).astype(f"u{data.itemsize}")
        return TensorHandle(upper.view(data.dtype), lhs.dtype.scalar)

    def create_histogram(self, data: Any, bins: int, mask: Any) -> Any:
        """Count values in [0, bins); others are dropped, as on a GPU."""
        values = data.data.reshape(-1)
        keep = (values >= 0) & (values < bins)
        if mask is not None:
            keep &= mask.data.reshape(-1)
        counts = np.bincount(values[keep].astype(np.int64), minlength=bins)
        return TensorHandle(counts.astype(np.int32), tl.int32)


def refuse_missing(patches: Patches) -> None:
    """Say what the interpreter of this version cannot do, instead of failing inside of it."""
    if not hasattr(names.Builder, "create_dot_scaled"):

        def refused(*_args: Any, **_named: Any) -> None:
            raise Halt("not-modelled", what=f"`tl.dot_scaled` with Triton {names.VERSION}")

        for module in (tl, tl.core):
            patches.put(module, "dot_scaled", refused)


def _to_float8(values: Array, kind: torch.dtype) -> Array:
    """Round to nearest even; what is too large becomes the largest, as on NVIDIA's GPUs."""
    most = torch.finfo(kind).max
    wide = torch.from_numpy(np.array(values, dtype=np.float32))
    bits: Array = wide.clamp(-most, most).to(kind).view(torch.uint8).numpy()
    return bits


def _unsigned(handle: Any) -> Any:
    bits = np.ascontiguousarray(handle.data).view(f"u{handle.data.itemsize}")
    return TensorHandle(bits, handle.dtype)


def _erf(data: Array) -> Array:
    result: Array = torch.special.erf(torch.from_numpy(np.ascontiguousarray(data))).numpy()
    return result.reshape(data.shape)
