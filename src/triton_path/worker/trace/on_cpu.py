"""A file that was written for a GPU, led to the CPU with its kernels watched."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING, Any

import torch

from triton_path.worker.compiler import standins
from triton_path.worker.compiler.private import replaced
from triton_path.worker.compiler.targets import TARGETS
from triton_path.worker.triton_private import names
from triton_path.worker.watch import standin

if TYPE_CHECKING:
    from collections.abc import Iterator

OTHERWISE = "sm_90"
"""The GPU that a file is told it has where the one asked for is too old for Triton."""


class Asked:
    """Whether the file asked for CUDA at all."""

    def __init__(self) -> None:
        self.for_cuda = False


@contextlib.contextmanager
def led_to_cpu(capability: str) -> Iterator[Asked]:
    """Lead CUDA to the CPU; to be entered inside of a watch, whose launches it wraps."""
    asked = Asked()
    launch = names.GridExecutor.__call__
    enter = torch._C.DisableTorchFunction

    def watched_launch(executor: Any, *args: Any, **kwargs: Any) -> Any:
        # The watch must see where tensors really are.
        with enter():
            return launch(executor, *args, **kwargs)

    class Noting(standins.OnCpu):
        def __torch_function__(
            self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
        ) -> Any:
            values = [*args, *(kwargs or {}).values()]
            named = any(isinstance(it, str | torch.device) and _is_cuda(it) for it in values)
            asked.for_cuda |= named or func is torch.Tensor.cuda
            return super().__torch_function__(func, types, args, kwargs)

    def is_available() -> bool:
        asked.for_cuda = True
        return True

    def active_device(_driver: Any) -> torch.device:
        asked.for_cuda = True
        return standins.GPU

    with contextlib.ExitStack() as stack:
        stack.enter_context(replaced(standins, "OnCpu", Noting))
        stack.enter_context(replaced(names.GridExecutor, "__call__", watched_launch))
        # Tensors here say that they are on cuda:0: the driver has to agree.
        stack.enter_context(replaced(standin.StandIn, "get_active_torch_device", active_device))
        stack.enter_context(standins.cuda_on_cpu(TARGETS[_target(capability)]))
        stack.enter_context(replaced(torch.cuda, "is_available", is_available))
        yield asked


def _is_cuda(value: str | torch.device) -> bool:
    return str(value).partition(":")[0] in ("cuda", "hip")


def _target(capability: str) -> str:
    name = f"sm_{capability.replace('.', '')}" if capability[0].isdigit() else capability
    return name if name in TARGETS else OTHERWISE
