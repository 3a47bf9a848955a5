"""Pointers kept in tensors, as grouped matmuls do: which live tensor an address belongs to."""

from __future__ import annotations

import gc
import sys
from typing import TYPE_CHECKING, Any

import numpy as np
import torch

from triton_path.worker.watch.memory import BASE
from triton_path.worker.watch.places import is_learners

if TYPE_CHECKING:
    from triton_path.worker.triton_private.names import Array
    from triton_path.worker.watch.memory import AddressSpace, Region


class AddressTable:
    """Gives tensors that a kernel reaches through addresses a region of their own."""

    def __init__(self, space: AddressSpace) -> None:
        """Regions are added to `space` when an address is first made a pointer."""
        self._space = space
        self._known: dict[int, int] = {}

    def translate(self, addresses: Array) -> Array:
        """Return uint64 `addresses` with those of live tensors made virtual.

        Others stay as they are, and an access through them is a fault.
        """
        result = addresses.astype(np.uint64)
        for value in np.unique(result).tolist():
            if 0 < value < BASE:
                result[result == np.uint64(value)] = self._virtual(value)
        return result

    def _virtual(self, address: int) -> int:
        found = self._known.get(address)
        if found is None:
            region = self._region(address)
            found = address if region is None else region.base
            self._known[address] = found
        return found

    def _region(self, address: int) -> Region | None:
        """Find the tensor that starts at `address`; the largest, where views start there too."""
        starting = [
            tensor
            for tensor in gc.get_objects()
            if type(tensor) in (torch.Tensor, torch.nn.Parameter)
            and tensor.device.type == "cpu"
            and tensor.layout is torch.strided
            and tensor.data_ptr() == address
        ]
        if not starting:
            return None
        tensor = max(starting, key=lambda it: it.numel())
        return self._space.add(_name_of(tensor), tensor)


def _name_of(tensor: Any) -> str:
    """Return the name that the host code has for `tensor`, or a description."""
    frame = sys._getframe(1)
    while frame is not None:
        if is_learners(frame.f_code):
            for name, value in frame.f_locals.items():
                if value is tensor:
                    return name
                if isinstance(value, (list, tuple)):
                    for place, part in enumerate(value):
                        if part is tensor:
                            return f"{name}[{place}]"
        frame = frame.f_back  # type: ignore[assignment]
    return f"a {str(tensor.dtype).removeprefix('torch.')} tensor of shape {list(tensor.shape)}"
