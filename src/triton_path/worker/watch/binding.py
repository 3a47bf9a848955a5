"""The arguments and the grid of a launch as it was called."""

from __future__ import annotations

import inspect
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.watch import Triple


def bind(kernel: Callable[..., Any], args: Any, kwargs: dict[str, Any]) -> dict[str, Any]:
    """Return arguments by name in the kernel's order, without options such as `num_warps`.

    Raises TypeError where an argument is missing.
    """
    spec = inspect.getfullargspec(kernel)
    known = {*spec.args, *spec.kwonlyargs}
    given = {name: value for name, value in kwargs.items() if name in known}
    bound = inspect.getcallargs(kernel, *args, **given)
    return {name: bound[name] for name in (*spec.args, *spec.kwonlyargs)}


def grid_of(grid: Any) -> Triple:
    """Return a grid as three sizes. Raises ValueError where it has none or more."""
    sizes = [int(size) for size in (grid if isinstance(grid, (tuple, list)) else (grid,))]
    if not 1 <= len(sizes) <= 3:
        raise ValueError(f"a grid has one to three axes, not {len(sizes)}")
    x, y, z = (*sizes, 1, 1)[:3]
    return x, y, z
