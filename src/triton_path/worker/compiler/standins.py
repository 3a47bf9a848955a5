"""Leads what a file asks of CUDA to the CPU, so that it reaches its launches without a GPU.

Tensors live in CPU memory and say that they are on `cuda:0`. Nothing that needs a GPU's result can
be right in such a process: it serves to find launches.
"""

from __future__ import annotations

import contextlib
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._device import DeviceContext

from triton_path.worker.compiler.private import replaced

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triton_path.worker.compiler.targets import Target

GPU = torch.device("cuda", 0)
CPU = torch.device("cpu")
_TENSOR: Any = torch.Tensor
DEVICE_OF_TENSOR = _TENSOR.device.__get__
IS_CUDA = _TENSOR.is_cuda.__get__


class OnCpu(TorchFunctionMode):
    """Replaces the CUDA device in the arguments of every torch function by the CPU."""

    def __torch_function__(
        self,
        func: Callable[..., Any],
        types: Any,
        args: tuple[Any, ...] = (),
        kwargs: dict[str, Any] | None = None,
    ) -> Any:
        """Do what `func` does, on the CPU."""
        if func == DEVICE_OF_TENSOR:
            return GPU
        if func == IS_CUDA:
            return True
        if func is torch.Tensor.get_device:
            return 0
        if func is torch.Tensor.cuda or func is torch.Tensor.pin_memory:
            return args[0]
        named = dict(kwargs or {})
        if "device" in named:
            named["device"] = on_cpu(named["device"])
        named.pop("pin_memory", None)
        if func is torch.Tensor.to or func is torch.Tensor.type:
            args = tuple(map(on_cpu, args))
        return func(*args, **named)


def on_cpu(value: Any) -> Any:
    """Return the CPU for anything that names a CUDA device, and any other value as it is."""
    named = isinstance(value, str) and value.partition(":")[0] in ("cuda", "hip")
    numbered = isinstance(value, int) and not isinstance(value, bool)
    if named or numbered or (isinstance(value, torch.device) and value.type == "cuda"):
        return CPU
    return value


def uncompiled(model: Any = None, **_: object) -> Any:
    """Stand for torch.compile: eager gets to the same launches, and sooner."""
    return model if model is not None else lambda function: function


class CpuGenerator(torch.Generator):
    """A generator of random numbers on the CPU, whatever device was asked for."""

    def __new__(cls, *_: object, **__: object) -> CpuGenerator:
        """Make one; the device that was asked for is ignored."""
        return super().__new__(cls, "cpu")  # type: ignore[call-arg]


class Event:
    """A CUDA event; no time passes between any two."""

    def __init__(self, *_: object, **__: object) -> None:
        pass

    def elapsed_time(self, _other: object) -> float:
        """Return milliseconds: always 1, so that a rate computed from it is a number."""
        return 1.0

    def __getattr__(self, _name: str) -> Callable[..., Any]:
        return lambda *_, **__: self


class Stream(Event):
    """A CUDA stream, and a context in which it is the current one."""

    cuda_stream = 0

    def __enter__(self) -> Stream:
        return self

    def __exit__(self, *_: object) -> None:
        pass


@contextlib.contextmanager
def cuda_on_cpu(target: Target) -> Iterator[None]:
    """Make torch say, inside the context, that it has one GPU, and use the CPU for it."""
    capability = divmod(target.arch, 10) if isinstance(target.arch, int) else (9, 4)
    properties = SimpleNamespace(
        name=f"no GPU, compiling for {target.arch}",
        major=capability[0],
        minor=capability[1],
        multi_processor_count=target.multiprocessors,
        total_memory=80 << 30,
        shared_memory_per_block_optin=target.program_shared_kib * 1024,
        shared_memory_per_multiprocessor=target.shared_kib * 1024,
        regs_per_multiprocessor=65536,
        max_threads_per_multi_processor=target.warps * target.warp_lanes,
        warp_size=target.warp_lanes,
        L2_cache_size=40 << 20,
        gcnArchName=str(target.arch),
    )
    answers: dict[str, Any] = {
        "is_available": lambda: True,
        "is_initialized": lambda: True,
        "init": lambda: None,
        "device_count": lambda: 1,
        "current_device": lambda: 0,
        "set_device": lambda *_: None,
        "device": lambda *_: contextlib.nullcontext(),
        "synchronize": lambda *_: None,
        "empty_cache": lambda: None,
        "manual_seed": lambda *_: None,
        "manual_seed_all": lambda *_: None,
        "is_bf16_supported": lambda *_, **__: True,
        "get_device_name": lambda *_: properties.name,
        "get_device_capability": lambda *_: capability,
        "get_device_properties": lambda *_: properties,
        "current_stream": lambda *_: Stream(),
        "default_stream": lambda *_: Stream(),
        "stream": lambda *_: contextlib.nullcontext(),
        "graph": lambda *_, **__: contextlib.nullcontext(),
        "CUDAGraph": Event,
        "mem_get_info": lambda *_: (80 << 30, 80 << 30),
        "Stream": Stream,
        "Event": Event,
        "memory_allocated": lambda *_: 0,
        "max_memory_allocated": lambda *_: 0,
        "reset_peak_memory_stats": lambda *_: None,
    }
    enter = DeviceContext.__init__
    with contextlib.ExitStack() as stack:
        for name, answer in answers.items():
            stack.enter_context(replaced(torch.cuda, name, answer))
        stack.enter_context(replaced(torch, "Generator", CpuGenerator))
        stack.enter_context(replaced(torch, "compile", uncompiled))
        # `with torch.device("cuda")` and `torch.set_default_device` add the device after us.
        stack.enter_context(
            replaced(DeviceContext, "__init__", lambda self, device: enter(self, on_cpu(device)))
        )
        stack.enter_context(OnCpu())
        yield
