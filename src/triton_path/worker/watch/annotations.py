"""Scalars whose parameter has a type for an annotation: `n: tl.int64` makes n an int64.

The compiler takes the type from there; Triton's interpreter takes it from the value alone, so an
offset that was made wide on purpose would seem to overflow.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import triton.language as tl

from triton_path.worker.triton_private import names

_TYPES: dict[str, Any] = {
    short: getattr(tl, name)
    for name in ("int8", "int16", "int32", "int64", "uint8", "uint16", "uint32", "uint64",
                 "float16", "float32", "float64")
    for short in (name, name.replace("uint", "u").replace("int", "i").replace("float", "fp"))
}  # fmt: skip


def scalar_types(function: Any) -> dict[str, Any]:
    """Return the types that annotations of `function` name, by parameter."""
    found = {}
    for name, annotation in getattr(function, "__annotations__", {}).items():
        text = annotation if isinstance(annotation, str) else getattr(annotation, "name", "")
        dtype = _TYPES.get(str(text).strip().removeprefix("tl."))
        if dtype is not None:
            found[name] = dtype
    return found


def typed(value: float, dtype: Any) -> Any:
    """Return the number as a scalar of a kernel, of the type `dtype`.

    Raises OverflowError where an integer does not fit, as the launch of a compiled kernel does.
    """
    data = np.array([value], dtype=names.numpy_type(dtype))
    return tl.tensor(names.TensorHandle(data, dtype), dtype)
