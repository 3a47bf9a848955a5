"""Sees which torch operations a learner's function applies to the exercise's tensors.

The same in the interpreter, in the compiler's process and on a GPU: a function that asks where it
runs could leave the work to torch in one of them.
"""

from __future__ import annotations

import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from triton_path.worker.watch.places import current_site, learner_frame, place_of

if TYPE_CHECKING:
    from types import FrameType

    from triton_path.jobs.watch import Place
    from triton_path.worker.practice.data import Inputs

ALLOCATES = frozenset(
    f"{prefix}{name}{suffix}"
    for name in ("empty", "zeros", "ones", "full")
    for prefix, suffix in (("", ""), ("", "_like"), ("new_", ""))
) | {"empty_strided", "new_empty_strided", "arange", "lift_fresh", "scalar_tensor"}
"""Operations that make a tensor without looking into another one."""


@dataclass(frozen=True)
class Operation:
    """A torch operation that the learner's function called."""

    name: str
    place: Place | None


class TorchWork(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Notes, while entered, each operation that is neither a view nor allowed."""

    def __init__(self, inputs: Inputs, may_use: tuple[str, ...]) -> None:
        """Look at operations on the tensors of `inputs`; those named in `may_use` are allowed."""
        super().__init__()  # type: ignore[no-untyped-call]
        self.operations: list[Operation] = []
        self.paused = False
        """Whether a kernel runs, whose work is not looked at."""
        self.set_back = False
        """Whether Triton itself changed tensors: its autotuner resets and restores them."""
        self._may_use = ALLOCATES | frozenset(may_use)
        self._known = {address(tensor) for tensor in inputs.tensors.values()}

    def follow(self, values: Any) -> None:
        """Take the tensors in `values` for the exercise's as well: a kernel is given them."""
        self._known |= {address(tensor) for tensor in _tensors(values)}

    def note(self, name: str, values: Any) -> None:
        """Note the operation `name` on `values`, if they hold tensors of the exercise."""
        if self.paused or name in self._may_use:
            return
        if not any(address(tensor) in self._known for tensor in _tensors(values)):
            return
        if _by_triton():
            self.set_back = True
            return
        found = learner_frame(sys._getframe(2)) is not None
        self.operations.append(Operation(name, place_of(current_site(2)) if found else None))

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note the operation and do it."""
        if not func.is_view:
            self.note(func._schema.name.partition("::")[2], [args, kwargs or {}])
        return func(*args, **(kwargs or {}))


def address(tensor: torch.Tensor) -> int:
    """Return where the tensor's storage lies; a number of its own where it has no memory."""
    if tensor.device.type == "meta":
        return id(tensor.untyped_storage())
    return int(tensor.untyped_storage().data_ptr())


def _tensors(values: Any) -> list[torch.Tensor]:
    return [leaf for leaf in tree_leaves(values) if isinstance(leaf, torch.Tensor)]


def _by_triton() -> bool:
    """Tell whether Triton's own host code is at work."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if str(frame.f_globals.get("__name__")).startswith("triton.runtime."):
            return True
        frame = frame.f_back
    return False
