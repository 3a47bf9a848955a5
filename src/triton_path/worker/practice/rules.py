"""Sees what a learner's function does to the tensors besides launching kernels."""

from __future__ import annotations

import contextlib
import ctypes
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode

from triton_path.worker.practice.torch_work import TorchWork
from triton_path.worker.triton_private import names

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.worker.practice.data import Inputs
    from triton_path.worker.practice.torch_work import Operation

READS: dict[Any, str] = {
    torch.Tensor.tolist: "tolist",
    torch.Tensor.numpy: "numpy",
    torch.Tensor.item: "item",
    torch.Tensor.__array__: "__array__",
}
"""Ways to the values that pass by torch's dispatcher."""


class HostWork:
    """What the function did to the tensors outside of kernels, and how many it launched."""

    def __init__(self, inputs: Inputs, may_use: tuple[str, ...]) -> None:
        """Look at a call with `inputs`; the operations `may_use` are allowed."""
        self.launches = 0
        """Kernels that were launched."""
        self.changed: set[str] = set()
        """Tensors whose content changed outside of kernels, by any means."""
        self.reshaped: set[str] = set()
        """Tensors that got another shape, other strides or other memory."""
        self._inputs = inputs
        self._work = TorchWork(inputs, may_use)
        self._content = self._bytes()
        self._forms = {name: _form(tensor) for name, tensor in inputs.tensors.items()}

    @property
    def operations(self) -> list[Operation]:
        """Torch operations that did a part of the work."""
        return self._work.operations

    @contextlib.contextmanager
    def seen(self) -> Iterator[None]:
        """Look while entered, inside of a watch; kernels themselves are not looked at."""
        launch = names.GridExecutor.__call__
        host, work = self, self._work

        def launched(executor: Any, *args: Any, **kwargs: Any) -> Any:
            work.paused = True
            host.launches += 1
            try:
                host._compare()
                # A buffer for partial sums is the kernel's work as well.
                work.follow([*args, *kwargs.values()])
                work.set_back = True  # until its end is seen, what changed is the kernel's
                result = launch(executor, *args, **kwargs)
                host._content = host._bytes()
                work.set_back = False
                return result
            finally:
                work.paused = False

        names.GridExecutor.__call__ = launched
        try:
            with _Values(work), work:
                yield
        finally:
            names.GridExecutor.__call__ = launch
            self._compare()

    def _compare(self) -> None:
        tensors = self._inputs.tensors
        self.reshaped |= {name for name in tensors if _form(tensors[name]) != self._forms[name]}
        if not self._work.set_back:
            for name, content in self._bytes().items():
                if content != self._content[name]:
                    self.changed.add(name)
        self._work.set_back = False

    def _bytes(self) -> dict[str, bytes]:
        return {name: _storage_bytes(tensor) for name, tensor in self._inputs.tensors.items()}


def _storage_bytes(tensor: torch.Tensor) -> bytes:
    """Return what the tensor's memory holds, by no operation that a mode would see."""
    storage = tensor.untyped_storage()
    if tensor.device.type == "meta" or not storage.nbytes():
        return b""
    return ctypes.string_at(storage.data_ptr(), storage.nbytes())


def _form(tensor: torch.Tensor) -> tuple[object, ...]:
    where = 0 if tensor.device.type == "meta" else tensor.data_ptr()
    return tuple(tensor.shape), tensor.stride(), where


class _Values(TorchFunctionMode):
    """Reads of values that the dispatcher does not see."""

    def __init__(self, work: TorchWork) -> None:
        super().__init__()
        self._work = work

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        """Note the read and do it."""
        if func in READS:
            self._work.note(READS[func], list(args))
        return func(*args, **(kwargs or {}))
