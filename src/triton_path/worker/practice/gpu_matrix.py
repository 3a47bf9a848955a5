"""The rate of matrix products: the speed limit of what computes more than it moves."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

if TYPE_CHECKING:
    from collections.abc import Callable

SIDES = {2: 8192, 4: 4096}
"""Side of the squares by the bytes of an element: large enough for the full rate."""


def matrix_product(dtype: torch.dtype, device: str) -> tuple[int, str, Callable[[], object]]:
    """Return the side of two random squares, the type in words, and what multiplies them.

    float32 is multiplied in TF32, as tl.dot does it by default: the limit is the fastest way.
    """
    side = SIDES[dtype.itemsize]
    left, right = (torch.randn(side, side, device=device).to(dtype) for _ in range(2))
    product = torch.empty_like(left)
    if dtype is not torch.float32:
        name = str(dtype).removeprefix("torch.")
        return side, name, lambda: torch.matmul(left, right, out=product)
    return side, "TF32 (or float32, on GPUs that have none)", lambda: _in_tf32(left, right, product)


def _in_tf32(left: torch.Tensor, right: torch.Tensor, product: torch.Tensor) -> None:
    before = torch.get_float32_matmul_precision()
    torch.set_float32_matmul_precision("high")
    try:
        torch.matmul(left, right, out=product)
    finally:
        torch.set_float32_matmul_precision(before)
