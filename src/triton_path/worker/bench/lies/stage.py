"""Where a lie is told: the device, its clock, and the careful and careless ways to read it."""

from __future__ import annotations

import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.bench import Figure, Timing
from triton_path.worker.bench.timing import (
    FEWEST,
    FLUSH_FACTOR,
    LARGEST_FLUSH,
    WARM_UP_S,
    GpuClock,
    Turn,
    cpu_cache_bytes,
    summarise,
    time_turns,
)

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    Run = Callable[[], object]

_now = time.perf_counter
LEAST_FACTOR = 3
"""A flush of fewer times the cache leaves some of it as it was."""


class HostClock(GpuClock):
    """The host's clock in the place of events: on a CPU an operation has ended when it returns."""

    device = "cpu"

    def __init__(self) -> None:
        """Own no stream: a CPU has none."""

    def event(self) -> Any:
        """Return a place for a time."""
        return [0.0]

    def record(self, event: Any) -> None:
        """Write the time down."""
        event[0] = _now()

    def between_us(self, start: Any, end: Any) -> float:
        """Return the microseconds between two recorded times."""
        return float(end[0] - start[0]) * 1e6

    def wait(self) -> None:
        """Return at once: nothing runs on after its call."""

    wait_for_stream = wait

    def on_its_stream(self) -> bool:
        """Say yes: there is one place to run."""
        return True


@dataclass(frozen=True)
class Stage:
    """One device, and every manner of timing on it that the lies need.

    All times are microseconds. `cold`, `steady` and `samples` are what an honest bench does;
    `unsynchronised` and `first_calls` are not.
    """

    clock: GpuClock
    cache_bytes: int
    """Size of the last-level cache."""
    warm_up_s: float = WARM_UP_S
    budget_s: float = 0.4
    """Seconds that the timed rounds of one comparison take, where 20 rounds take less."""

    @property
    def device(self) -> str:
        """The device as torch names it."""
        return self.clock.device

    @property
    def on_gpu(self) -> bool:
        """Whether the device is a GPU."""
        return self.device != "cpu"

    def cold(self, runs: Mapping[str, Run | Turn]) -> dict[str, Timing]:
        """Warm up, then time by turns, the cache written over before each run."""
        return self._time(runs, self._flushed)

    def steady(self, run: Run) -> Timing:
        """Warm up, then time again and again with whatever the cache holds."""
        return self._time({"run": run}, 0)["run"]

    def _time(self, runs: Mapping[str, Run | Turn], cache_bytes: int) -> dict[str, Timing]:
        turns = {name: run if isinstance(run, Turn) else Turn(run) for name, run in runs.items()}
        limits = {"warm_up_s": self.warm_up_s, "budget_s": self.budget_s}
        return time_turns(turns, cache_bytes, self.clock, **limits)

    @property
    def _flushed(self) -> int:
        """The cache size to flush for: a CPU's by three times its own, and no more than 256 MiB."""
        if self.on_gpu:
            return self.cache_bytes
        return min(LEAST_FACTOR * self.cache_bytes, LARGEST_FLUSH) // FLUSH_FACTOR

    def samples(self, run: Run, count: int = FEWEST) -> list[float]:
        """Return `count` single times of `run`, each with a cold cache, in the order they came."""
        size = FLUSH_FACTOR * self._flushed
        flush = torch.empty(size, dtype=torch.int8, device=self.device)
        taken = []
        for _ in range(count):
            flush.zero_()
            start, end = self.clock.event(), self.clock.event()
            self.clock.record(start)
            run()
            self.clock.record(end)
            self.clock.wait()
            taken.append(self.clock.between_us(start, end))
        return taken

    def host(self, run: Run, *, wait: bool, count: int = FEWEST) -> Timing:
        """Time with the host's clock; without `wait` it is stopped while the GPU still works."""
        taken = []
        for _ in range(count):
            self.clock.wait()
            start = self.clock.now()
            run()
            if wait:
                self.clock.wait()
            taken.append((self.clock.now() - start) * 1e6)
        self.clock.wait()
        return summarise(taken)

    def first_calls(self, run: Run, count: int) -> Figure:
        """Return the mean of the first `count` calls, the very first one included."""
        self.clock.wait()
        start = self.clock.now()
        for _ in range(count):
            run()
        self.clock.wait()
        mean = (self.clock.now() - start) * 1e6 / count
        return Figure(value=mean, unit="us", kind="measured")

    def each_of(self, run: Run, calls: int) -> Timing:
        """Time `calls` calls in a row, 20 times, and return what one of them takes."""
        taken = self.host(lambda: [run() for _ in range(calls)], wait=True)
        return shared(taken, calls)

    def in_graph(self, run: Run, calls: int) -> Timing:
        """Time a CUDA graph of `calls` calls in a row, and return what one of them takes."""
        run()
        self.clock.wait()
        graph = torch.cuda.CUDAGraph()
        with torch.cuda.graph(graph):
            for _ in range(calls):
                run()
        return shared(self.steady(graph.replay), calls)


def shared(timing: Timing, calls: int) -> Timing:
    """Return the share of one of `calls` equal parts."""
    parts = {name: getattr(timing, name) / calls for name in ("value", "p20", "p80")}
    return timing.model_copy(update=parts)


CPU_WARM_UP_S, CPU_BUDGET_S = 0.05, 0.1
"""A CPU's clock rises within milliseconds, and a person waits for all twelve. Single runs take less
than a millisecond: longer ones would be interrupted wherever somebody else uses the machine."""


def this_stage(*, on_gpu: bool) -> Stage:
    """Return the stage of this machine; a CPU is used with one thread from here on."""
    if not on_gpu:
        # Threads that wait for one another measure whoever else uses the machine.
        torch.set_num_threads(1)
        return Stage(HostClock(), cpu_cache_bytes(), CPU_WARM_UP_S, CPU_BUDGET_S)
    from triton_path.worker.bench.device import gpu_facts

    return Stage(GpuClock(), gpu_facts().l2_bytes or 0)
