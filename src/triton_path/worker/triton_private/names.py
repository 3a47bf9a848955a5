"""The interpreter's classes and objects, and what differs between versions of Triton."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Any

import numpy as np
import triton
import triton.language as tl

# What `@triton.jit` makes is decided by this variable when the decorator runs: the interpreter's
# module imports in any case.
import triton.runtime.interpreter as interpreter
from triton._C.libtriton import ir
from triton.backends.compiler import GPUTarget
from triton.runtime.autotuner import Autotuner
from triton.runtime.jit import TensorWrapper
from triton.tools.tensor_descriptor import TensorDescriptor

Array = np.ndarray[Any, Any]

Builder: Any = interpreter.InterpreterBuilder
TensorHandle: Any = interpreter.TensorHandle
GridExecutor: Any = interpreter.GridExecutor
InterpretedFunction: Any = interpreter.InterpretedFunction
InterpreterOptions: Any = interpreter.InterpreterOptions
ReduceOps: Any = interpreter.ReduceOps
ScanOps: Any = interpreter.ScanOps
builder: Any = interpreter.interpreter_builder
"""The one builder that every interpreted operation goes through."""
semantic: Any = getattr(interpreter, "interpreter_semantic", None)
"""The front end on `builder`; Triton 3.4 makes one for each patched function instead."""
if semantic is None:
    from triton.language.semantic import TritonSemantic

    semantic = TritonSemantic(builder)

VERSION: str = triton.__version__
FOLDER = str(Path(triton.__file__).resolve().parent) + os.sep
SEMANTIC_FILE: str = triton.language.semantic.__file__
"""Triton's front end, which asks tensors for their truth to find out whether they were given."""
INTERPRETED = bool(triton.knobs.runtime.interpret)
"""Whether `@triton.jit` makes interpreted kernels in this process."""

ACQUIRES = frozenset({ir.MEM_SEMANTIC.ACQUIRE, ir.MEM_SEMANTIC.ACQUIRE_RELEASE})
RELEASES = frozenset({ir.MEM_SEMANTIC.RELEASE, ir.MEM_SEMANTIC.ACQUIRE_RELEASE})
ATOMICS = ir.ATOMIC_OP
TF32: Any = ir.INPUT_PRECISION.TF32
"""How the front end hands on `input_precision="tf32"` of `tl.dot`."""

driver_config: Any = triton.runtime.driver
ACTIVE_DRIVER = "_active" if hasattr(driver_config, "_active") else "active"
"""Its attribute that holds the driver; `active` became a property in Triton 3.5 or 3.6."""

_numpy_types: dict[str, np.dtype[Any]] = {}


def numpy_type(element: Any) -> np.dtype[Any]:
    """Return the NumPy type that the interpreter keeps values of `element` in.

    bfloat16 is kept as the bits of uint16, float8 as uint8, pointers as uint64.
    """
    if element.is_ptr():
        return np.dtype(np.uint64)
    found = _numpy_types.get(element.name)
    if found is None:
        found = _numpy_types[element.name] = np.dtype(interpreter._get_np_dtype(element))
    return found


def is_tensor(value: Any) -> bool:
    """Tell whether `value` is a torch tensor, or Triton's wrapper of one with another dtype."""
    return hasattr(value, "data_ptr")


def unwrap(tensor: Any) -> Any:
    """Return the torch tensor behind `tensor`."""
    return tensor.base if isinstance(tensor, TensorWrapper) else tensor


def unwrapped(kernel: Any) -> Any:
    """Return the interpreted function inside of an autotuner or heuristics; None if there is none.

    `kernel` may be anything.
    """
    while kernel is not None and not isinstance(kernel, InterpretedFunction):
        kernel = getattr(kernel, "fn", None) if type(kernel).__module__[:6] == "triton" else None
    return kernel


def pointer_to(tensor: Any, address: int) -> Any:
    """Return a scalar `tl.tensor` that points to `address` with the element type of `tensor`."""
    mangled = triton.runtime.jit.mangle_type(tensor)
    try:
        kind = tl.str_to_ty(mangled, None)
    except TypeError:  # Triton 3.4 takes the name alone
        kind = tl.str_to_ty(mangled)
    return tl.tensor(TensorHandle(np.array([address], dtype=np.uint64), kind), kind)


def true_or_false(value: bool) -> Any:
    """Return a scalar int1; before Triton 3.8 a bool argument was taken for an int32."""
    return tl.tensor(TensorHandle(np.array([value], dtype=np.bool_), tl.int1), tl.int1)


def single_float(value: float) -> Any:
    """Return a scalar fp32, as compiled kernels get a float; the interpreter leaves it bare."""
    return tl.tensor(TensorHandle(np.array([value], dtype=np.float32), tl.float32), tl.float32)


def is_descriptor(value: Any) -> bool:
    """Tell whether `value` is a tensor descriptor made on the host."""
    return isinstance(value, TensorDescriptor)


__all__ = [
    "ACQUIRES",
    "ACTIVE_DRIVER",
    "ATOMICS",
    "FOLDER",
    "INTERPRETED",
    "RELEASES",
    "SEMANTIC_FILE",
    "TF32",
    "VERSION",
    "Array",
    "Autotuner",
    "Builder",
    "GPUTarget",
    "GridExecutor",
    "InterpretedFunction",
    "InterpreterOptions",
    "ReduceOps",
    "ScanOps",
    "TensorDescriptor",
    "TensorHandle",
    "builder",
    "driver_config",
    "interpreter",
    "is_descriptor",
    "is_tensor",
    "numpy_type",
    "pointer_to",
    "semantic",
    "single_float",
    "true_or_false",
    "unwrap",
    "unwrapped",
]
