"""Sees whether a function computes with torch when its tensors lie on a GPU.

The interpreter's run sees all that it does there; a function that asks where its tensors are could
do otherwise here.
"""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from triton_path.worker.practice.rules import ALLOCATES

if TYPE_CHECKING:
    from types import FrameType

    from triton_path.worker.practice.data import Inputs


class TorchWork(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """While entered, notes each torch operation on the exercise's tensors that is not allowed."""

    def __init__(self, inputs: Inputs, may_use: tuple[str, ...]) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.operations: list[str] = []
        self._known = {_address(tensor) for tensor in inputs.tensors.values()}
        self._may_use = ALLOCATES | frozenset(may_use)

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note the operation and do it."""
        name = func._schema.name.partition("::")[2]
        if not func.is_view and name not in self._may_use:
            leaves = tree_leaves([args, kwargs or {}])
            tensors = [leaf for leaf in leaves if isinstance(leaf, torch.Tensor)]
            known = any(_address(tensor) in self._known for tensor in tensors)
            if known and not _is_tritons():
                self.operations.append(name)
        return func(*args, **(kwargs or {}))


def _address(tensor: torch.Tensor) -> int:
    return int(tensor.untyped_storage().data_ptr())


def _is_tritons() -> bool:
    """Tell whether Triton asked for it: an autotuner sets outputs back between its runs."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("triton.runtime."):
            return True
        frame = frame.f_back
    return False
