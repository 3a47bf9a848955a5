"""Values that masked lanes without `other` get in a second run, in place of zero."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import numpy as np

from triton_path.worker.watch.bfloat16 import to_bfloat16

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.places import Site

LARGE = {"fp16": 6e4, "bf16": 1e30, "fp32": 1e30, "fp64": 1e30}
FLOAT8_NAN = 0x7F
FLOAT8_LARGE = 0x77


@dataclass(frozen=True)
class Poison:
    """One choice of values; `only` limits it to the load at that site.

    Large numbers of both signs show in sums, products, maxima and minima; NaN shows where a
    large number is multiplied by zero. Integers are small, since they may become loop bounds.
    """

    float_value: float
    """In units of a large number of the dtype; NaN is itself."""
    int_value: int
    only: Site | None = None

    def fill(self, block: Array, element: Any, site: Site) -> None:
        """Fill `block`, which holds values of Triton's type `element`."""
        if self.only is not None and self.only != site:
            return
        if element.is_floating():
            value = self.float_value * LARGE.get(element.name, 0.0)
            if element.is_bf16():
                block[...] = to_bfloat16(np.array(value, dtype=np.float32))
            elif element.primitive_bitwidth == 8:
                block[...] = self._float8()
            else:
                block[...] = value
        elif block.dtype == np.bool_:
            block[...] = bool(self.int_value & 1)
        elif element.is_int():
            block[...] = np.array(self.int_value).astype(block.dtype)

    def _float8(self) -> int:
        if np.isnan(self.float_value):
            return FLOAT8_NAN
        return FLOAT8_LARGE | (0x80 if self.float_value < 0 else 0)


POISONS = (
    Poison(1.0, 13),
    Poison(-1.0, -29),
    Poison(float("nan"), 5),
)
