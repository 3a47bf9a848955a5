"""Sees what a learner's function does to the tensors besides launching kernels."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
import triton
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from triton_path.worker.triton_private import names
from triton_path.worker.watch.places import current_site, learner_frame, place_of

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType

    from triton_path.jobs.watch import Place
    from triton_path.worker.practice.data import Inputs

TRITON = os.path.dirname(triton.__file__)  # noqa: PTH120 -- compared with file names of frames
ALLOCATES = frozenset(
    f"{prefix}{name}{suffix}"
    for name in ("empty", "zeros", "ones", "full")
    for prefix, suffix in (("", ""), ("", "_like"), ("new_", ""))
) | {"empty_strided", "new_empty_strided", "arange", "lift_fresh", "scalar_tensor"}
"""Operations that make a tensor without looking into another one."""
READS: dict[Any, str] = {
    torch.Tensor.tolist: "tolist",
    torch.Tensor.numpy: "numpy",
    torch.Tensor.item: "item",
    torch.Tensor.__array__: "__array__",
}
"""Ways to the values that pass by torch's dispatcher."""


@dataclass(frozen=True)
class Operation:
    """A torch operation that the learner's function called."""

    name: str
    place: Place | None


class HostWork:
    """What the function did to the tensors outside of kernels."""

    def __init__(self, inputs: Inputs, may_use: tuple[str, ...]) -> None:
        """Look at a call with `inputs`; the operations `may_use` are allowed."""
        self.launches = 0
        """Kernels that were launched."""
        self.operations: list[Operation] = []
        self.changed: set[str] = set()
        """Tensors whose content changed outside of kernels, by any means."""
        self._inputs = inputs
        self._may_use = frozenset(may_use) | ALLOCATES
        self._known = {_address(tensor) for tensor in inputs.tensors.values()}
        self._inside = False
        self._set_back = False
        """Whether a kernel or Triton itself changed tensors since they were last looked at."""
        self._content = self._bytes()

    @contextlib.contextmanager
    def seen(self) -> Iterator[None]:
        """Look while entered, inside of a watch; kernels themselves are not looked at."""
        launch = names.GridExecutor.__call__
        host = self

        def launched(executor: Any, *args: Any, **kwargs: Any) -> Any:
            host._inside = True
            host.launches += 1
            try:
                host._before_launch([*args, *kwargs.values()])
                host._set_back = True  # until its end is seen, what changed is the kernel's
                result = launch(executor, *args, **kwargs)
                host._content = host._bytes()
                host._set_back = False
                return result
            finally:
                host._inside = False

        names.GridExecutor.__call__ = launched
        try:
            with _Values(self), _Operations(self):
                yield
        finally:
            names.GridExecutor.__call__ = launch
            self._compare()

    def touched(self, name: str, values: Any) -> None:
        """Note an operation on `values`, if they hold tensors of the exercise."""
        if self._inside or name in self._may_use:
            return
        tensors = [leaf for leaf in tree_leaves(values) if isinstance(leaf, torch.Tensor)]
        if any(_address(tensor) in self._known for tensor in tensors):
            if _by_triton():
                self._set_back = True
                return
            here = learner_frame(sys._getframe(2))
            place = place_of(current_site(2)) if here is not None else None
            self.operations.append(Operation(name, place))

    def _before_launch(self, values: list[Any]) -> None:
        self._compare()
        # What a kernel is given becomes the kernel's work, a buffer for partial sums as well.
        self._known |= {
            _address(leaf) for leaf in tree_leaves(values) if isinstance(leaf, torch.Tensor)
        }

    def _compare(self) -> None:
        if not self._set_back:
            for name, content in self._bytes().items():
                if content != self._content[name]:
                    self.changed.add(name)
        self._set_back = False

    def _bytes(self) -> dict[str, bytes]:
        return {name: _storage_bytes(tensor) for name, tensor in self._inputs.tensors.items()}


def _by_triton() -> bool:
    """Tell whether Triton itself is at work: its autotuner resets and restores arguments."""
    frame: FrameType | None = sys._getframe(2)
    while frame is not None:
        if frame.f_code.co_filename.startswith(TRITON):
            return True
        frame = frame.f_back
    return False


def _storage_bytes(tensor: torch.Tensor) -> bytes:
    """Return what the tensor's memory holds, by no operation that a mode would see."""
    storage = tensor.untyped_storage()
    if tensor.device.type == "meta" or not storage.nbytes():
        return b""
    return ctypes.string_at(storage.data_ptr(), storage.nbytes())


def _address(tensor: torch.Tensor) -> int:
    if tensor.device.type == "meta":
        return id(tensor.untyped_storage())
    return int(tensor.untyped_storage().data_ptr())


class _Operations(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Every torch operation, also those that others call."""

    def __init__(self, host: HostWork) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self._host = host

    def __torch_dispatch__(self, func: Any, types: Any, args: Any = (), kwargs: Any = None) -> Any:
        """Note the operation and do it."""
        if not func.is_view:
            name = func._schema.name.partition("::")[2]
            self._host.touched(name, [args, kwargs or {}])
        return func(*args, **(kwargs or {}))


class _Values(TorchFunctionMode):
    """Reads of values that the dispatcher does not see."""

    def __init__(self, host: HostWork) -> None:
        super().__init__()
        self._host = host

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Note the read and do it."""
        if func in READS:
            self._host.touched(READS[func], list(args))
        return func(*args, **(kwargs or {}))
