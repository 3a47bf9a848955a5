"""Counts and times the kernels that the GPU really ran."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.profiler import ProfilerActivity, profile

from triton_path.worker.bench.ledger import Ran

if TYPE_CHECKING:
    from collections.abc import Callable

RUNS = 25
"""Profiled runs of each provider; a median of fewer than 20 is not shown."""
LAUNCHES = ("cu", "hip")
"""How the names of the calls begin that launch something."""


def kernels(run: Callable[[], object]) -> list[Ran]:
    """Return each kernel, fill and copy that one call of `run` makes, in order."""
    run()  # the first call may compile
    torch.cuda.synchronize()
    with profile(activities=[ProfilerActivity.CPU, ProfilerActivity.CUDA]) as profiled:
        run()
        torch.cuda.synchronize()
    events = list(profiled.events())
    launches = {
        event.id: event
        for event in events
        if event.device_type.name == "CPU" and event.name.startswith(LAUNCHES)
    }
    return [Ran(short(event.name), _within(launches.get(event.id))) for event in _on_gpu(events)]


def kernel_times(
    run: Callable[[], object], count: int, flush: torch.Tensor
) -> list[list[float]] | None:
    """Return the microseconds of each of the `count` kernels of `run`, of every profiled run.

    The cache is flushed before each run by one fill, which is left out. None where other kernels
    ran than were counted.
    """
    with profile(activities=[ProfilerActivity.CUDA]) as profiled:
        for _ in range(RUNS):
            flush.zero_()
            run()
        torch.cuda.synchronize()
    taken = [event.time_range.elapsed_us() for event in _on_gpu(list(profiled.events()))]
    return by_kernel(taken, count, RUNS)


def by_kernel(taken: list[float], count: int, runs: int) -> list[list[float]] | None:
    """Sort the times of `runs` rounds of a flush and `count` kernels by kernel."""
    if count == 0 or len(taken) != runs * (count + 1):
        return None
    return [taken[place :: count + 1] for place in range(1, count + 1)]


def _on_gpu(events: list[Any]) -> list[Any]:
    found = [
        event
        for event in events
        if event.device_type.name == "CUDA" and not getattr(event, "is_user_annotation", False)
    ]
    return sorted(found, key=lambda event: event.time_range.start)


def _within(launch: Any) -> tuple[tuple[int, str], ...]:
    """Return the operations that a launch stands in, innermost first."""
    found = []
    parent = launch.cpu_parent if launch is not None else None
    while parent is not None:
        found.append((id(parent), parent.name))
        parent = parent.cpu_parent
    return tuple(found)


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
