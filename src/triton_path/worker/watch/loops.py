"""Loop variables as compiled kernels have them: tensors, of 32 bits unless a bound has 64.

Triton's interpreter loops over Python integers, on which `.to(tl.int64)` fails and which never
wrap. `tl.static_range` is unrolled by the compiler, so its variable stays a Python integer.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import numpy as np
import triton.language as tl

from triton_path.worker.triton_private.names import TensorHandle

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.worker.triton_private.patching import Patches

INT32_MAX = (1 << 31) - 1


def loop(*bounds: Any, **options: Any) -> Iterator[Any]:
    """Yield what `range(*bounds)` does, as scalar tensors.

    `options` are `tl.range`'s: `arg1`, `arg2` and `step` are bounds, others guide the compiler.
    """
    given = [*bounds, *(options[name] for name in ("arg1", "arg2") if name in options)]
    if "step" in options and options["step"] is not None:
        given = [*([0] if len(given) == 1 else []), *given, options["step"]]
    given = [bound for bound in given if bound is not None]
    values = range(*(int(_plain(bound)) for bound in given))
    wide = any(
        isinstance(bound, tl.tensor) and bound.dtype.primitive_bitwidth == 64 for bound in given
    )
    wide = wide or max(abs(values.start), abs(values.stop)) > INT32_MAX
    kind, dtype = (tl.int64, np.int64) if wide else (tl.int32, np.int32)
    for value in values:
        yield tl.tensor(TensorHandle(np.array([value], dtype=dtype), kind), kind)


def _plain(bound: Any) -> Any:
    if isinstance(bound, tl.tensor):
        return bound.handle.data.reshape(-1)[0]
    return bound.value if isinstance(bound, tl.constexpr) else bound


def _static(*bounds: Any, **options: Any) -> list[int]:
    """Return what `tl.static_range` gives."""
    given = [*bounds, *(options[name] for name in ("arg1", "arg2", "step") if name in options)]
    return list(range(*(int(_plain(bound)) for bound in given)))


def patch_loops(patches: Patches) -> None:
    """Replace `tl.range` and `tl.static_range`; `range` itself is replaced in the source."""
    for module in (tl, tl.core):
        patches.put(module, "range", loop)
        patches.put(module, "static_range", _static)
