"""The GPU as the instrument uses it: everything that touches the device, in one place."""

from __future__ import annotations

import contextlib
import statistics
import time
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import Figure
from triton_path.worker.bench import profiling
from triton_path.worker.bench.timing import FLUSH_FACTOR, time_on_gpu

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping

    from triton_path.jobs.bench import Timing
    from triton_path.worker.bench.ledger import Ran

    Run = Callable[[], object]

HOST_RUNS = 40


class Gpu:
    """The current GPU; a test puts another in its place."""

    device = "cuda"

    def __init__(self, l2_bytes: int) -> None:
        self.l2_bytes = l2_bytes

    def wait(self) -> None:
        """Wait until all work is done."""
        torch.cuda.synchronize()

    def time(self, runs: Mapping[str, Run]) -> dict[str, Timing]:
        """Time every entry by turns, cold cache, launches included."""
        return time_on_gpu(runs, self.l2_bytes)

    def kernels(self, run: Run) -> list[Ran]:
        """Return the kernels of one call."""
        return profiling.kernels(run)

    def kernel_times(self, run: Run, count: int) -> list[list[float]] | None:
        """Return the times of the `count` kernels of a call, a list each, or None."""
        flush = torch.empty(FLUSH_FACTOR * self.l2_bytes, dtype=torch.int8, device=self.device)
        return profiling.kernel_times(run, count, flush)

    def graph(self, run: Run) -> Run | None:
        """Record `run` as a CUDA graph and return its replay; None where that is not possible."""
        graph = torch.cuda.CUDAGraph()
        with contextlib.suppress(RuntimeError), torch.cuda.graph(graph):
            run()
            return graph.replay
        torch.cuda.synchronize()
        return None

    def host_time(self, run: Run) -> Figure:
        """Return what the host takes for one call, with nothing queued before it: a median."""
        taken = []
        for _ in range(HOST_RUNS):
            self.wait()
            start = time.perf_counter_ns()
            run()
            taken.append((time.perf_counter_ns() - start) / 1e3)
        self.wait()
        return Figure(value=statistics.median(taken), unit="us", kind="measured")
