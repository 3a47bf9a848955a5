"""Arguments of a launch: made from options, moved off their alignment, and told in words."""

from __future__ import annotations

import math
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.inspect import LaunchArgument
from triton_path.worker.compiler import private
from triton_path.worker.compiler.capture import Recorded, bound

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triton_path.jobs.inspect import Argument, Scalar

DTYPES = {
    "fp32": torch.float32,
    "fp16": torch.float16,
    "bf16": torch.bfloat16,
    "fp64": torch.float64,
    "fp8e4nv": torch.float8_e4m3fn,
    "fp8e5": torch.float8_e5m2,
    "i8": torch.int8,
    "i16": torch.int16,
    "i32": torch.int32,
    "i64": torch.int64,
    "u8": torch.uint8,
    "i1": torch.bool,
}
SHORT = {dtype: name for name, dtype in DTYPES.items()}
ALIGNED_ADDRESS = 1 << 40
"""Of a tensor that has no memory; a multiple of every alignment that the compiler looks at."""


class WrongArguments(Exception):
    """The arguments do not fit the kernel; the message says how."""


class Pointer:
    """What the compiler looks at in a tensor: dtype, address, size. It has no memory."""

    def __init__(self, dtype: torch.dtype, shape: Sequence[int], address: int) -> None:
        self.dtype = dtype
        self.shape = tuple(shape)
        self.address = address

    def data_ptr(self) -> int:
        """Return the address, in bytes."""
        return self.address

    def ptr_range(self) -> int:
        """Return the bytes behind the address: AMD's backend asks whether 32 bits suffice."""
        return math.prod(self.shape) * self.dtype.itemsize

    def stride(self, axis: int | None = None) -> Any:
        """Return the strides of a contiguous tensor, in elements."""
        strides = tuple(math.prod(self.shape[n + 1 :]) for n in range(len(self.shape)))
        return strides if axis is None else strides[axis]


def launch_by_hand(
    kernel: Any, arguments: Sequence[Argument], constants: Mapping[str, Scalar], **options: Any
) -> Recorded:
    """Make a launch of `kernel` from what the options gave. Raises WrongArguments."""
    given: dict[str, Any] = {}
    for argument in arguments:
        if argument.dtype is None:
            given[argument.name] = argument.value
        elif argument.dtype not in DTYPES:
            raise WrongArguments(f"There is no dtype '{argument.dtype}': {', '.join(DTYPES)}.")
        else:
            dtype = DTYPES[argument.dtype]
            given[argument.name] = Pointer(dtype, argument.shape, ALIGNED_ADDRESS)
    given |= constants
    parameters = {p.name: p for p in kernel.params}
    unknown = [name for name in given if name not in parameters]
    if unknown:
        raise WrongArguments(f"{kernel.__name__} has no parameter '{unknown[0]}'.")
    missing = [p for p in parameters.values() if p.name not in given and not p.has_default]
    if missing:
        hows = [f"--set {p.name}=..." if p.is_constexpr else f"--arg {p.name}=..." for p in missing]
        raise WrongArguments(f"{kernel.__name__} also needs {' '.join(hows)}.")
    return Recorded(kernel, (), {**given, **options}, None, 0)


def unaligned(value: Any) -> Any:
    """Return a tensor one element on, an integer one more where it is a multiple of 16."""
    if isinstance(value, torch.Tensor | Pointer):
        address = value.data_ptr()
        if address % 16 == 0:
            return Pointer(value.dtype, value.shape, address + min(8, value.dtype.itemsize))
    elif isinstance(value, int) and not isinstance(value, bool) and value % 16 == 0:
        return value + 1
    return value


def describe(launch: Recorded) -> tuple[LaunchArgument, ...]:
    """Tell each argument, and what the compiler may assume of it.

    Triton specialises an address and an integer on divisibility by 16, and an integer on being 1.
    """
    values = bound(launch.kernel, launch.arguments, launch.named)
    shown = []
    for parameter in launch.kernel.params:
        value = values.get(parameter.name)
        specialised = "constant" if parameter.is_constexpr else ""
        if not parameter.is_constexpr and not parameter.do_not_specialize:
            specialised = _assumed(value, aligns=not parameter.do_not_specialize_on_alignment)
        text = _text(value)
        shown.append(LaunchArgument(name=parameter.name, text=text, specialised=specialised))
    return tuple(shown)


def _assumed(value: Any, *, aligns: bool) -> str:
    if isinstance(value, bool) or value is None:
        return ""
    if isinstance(value, int):
        if value == 1:
            return "= 1"
        return "16 | value" if aligns and value % 16 == 0 else ""
    if hasattr(value, "data_ptr"):
        return "16 | address" if aligns and value.data_ptr() % 16 == 0 else ""
    return ""


def _text(value: Any) -> str:
    if isinstance(value, torch.Tensor | Pointer):
        name = SHORT.get(value.dtype, str(value.dtype).removeprefix("torch."))
        sizes = ", ".join(map(str, value.shape))
        gaps = isinstance(value, torch.Tensor) and not value.is_contiguous()
        strides = f" stride ({', '.join(map(str, value.stride()))})" if gaps else ""
        return f"{name}[{sizes}]{strides}"
    if hasattr(value, "block_shape") and hasattr(value, "base"):
        tile = ", ".join(map(str, value.block_shape))
        return f"{_text(value.base)} by tiles [{tile}]"
    if isinstance(value, tuple | list):
        return f"({', '.join(map(_text, value))})"
    if isinstance(value, private.JITFunction):
        return f"function {value.__name__}"
    text = repr(getattr(value, "value", value))
    return text if len(text) <= 40 else f"{text[:37]}..."
