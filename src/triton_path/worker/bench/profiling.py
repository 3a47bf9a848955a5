"""Counts the kernels that the GPU really ran."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
from torch.profiler import ProfilerActivity, profile

if TYPE_CHECKING:
    from collections.abc import Callable


def kernels(run: Callable[[], object]) -> list[str]:
    """Return the name of each kernel, fill and copy that one call of `run` makes, in order."""
    run()  # the first call may compile
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled:
        run()
        torch.cuda.synchronize()
    on_gpu = [
        event
        for event in profiled.events()
        if event.device_type.name == "CUDA" and not getattr(event, "is_user_annotation", False)
    ]
    on_gpu.sort(key=lambda event: event.time_range.start)
    return [short(event.name) for event in on_gpu]


def short(name: str) -> str:
    """Cut a C++ kernel's name down to the part that tells it from others."""
    name = name.removeprefix("void ").replace("(anonymous namespace)::", "")
    base = name.split("<")[0].split("(")[0].split("::")[-1].strip()
    if "elementwise" not in base and "reduce" not in base:
        return base or name
    # One template serves many operations; the functor inside names this one.
    words = name.replace("<", " ").replace(",", " ").replace("(", " ").split()
    telling = [word for word in words if any(mark in word for mark in ("Functor", "Ops", "_cuda"))]
    return telling[0].rstrip(">").split("::")[-1] if telling else base
