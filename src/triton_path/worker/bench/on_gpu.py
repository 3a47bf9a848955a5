"""The bench of one shape on a GPU: predict, check, then time."""

from __future__ import annotations

import contextlib
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import (
    BEST_EAGER,
    BYTES,
    COMPILED,
    EAGER,
    FUSED,
    Figure,
    ProviderReport,
    Shape,
    ShapeReport,
)
from triton_path.worker.bench import problem
from triton_path.worker.bench.checking import judge, observe
from triton_path.worker.bench.needs import mend
from triton_path.worker.bench.profiling import kernels
from triton_path.worker.bench.timing import time_on_gpu
from triton_path.worker.bench.verdicts import bandwidth, least_us, too_fast, with_speedups
from triton_path.worker.missing import MissingHere

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import Case, Check, Device, Timing
    from triton_path.worker.bench.problem import Inputs, Provider

CHECK_SEED, DATA_SEED = 1234, 99
COPY = "copy"
LARGE_COPY_BYTES = 1 << 30
REFERENCE_ROUNDS = 10
"""Philox rounds of PyTorch's own dropout; a run with fewer shows this row beside it."""


@dataclass
class Prepared:
    """A provider that was compiled, counted and checked."""

    provider: Provider
    kernels: list[str]
    check: Check
    compile_time: Figure | None


def large_copy(memory_bytes: int) -> Figure:
    """Measure the bandwidth of a copy of 1 GiB (less on a small GPU), read plus write."""
    size = min(LARGE_COPY_BYTES, memory_bytes // 8)
    source = torch.randint(-128, 127, (size,), dtype=torch.int8, device="cuda")
    target = torch.empty_like(source)
    timing = time_on_gpu({COPY: lambda: target.copy_(source)}, 64 << 20)[COPY]
    return bandwidth(2 * size, timing.value)


def bench_shape(
    case: Case, shape: Shape, device: Device, say: Callable[[str], None]
) -> tuple[ShapeReport, list[ProviderReport], list[str], list[str]]:
    """Return the reports of one shape, the faults that were found, and notes.

    Raises MissingHere where the GPU's memory is too small or the kernel cannot be compiled.
    """
    try:
        with torch.no_grad():
            return _bench_shape(case, shape, device, say)
    except torch.OutOfMemoryError as fault:
        raise MissingHere(
            f"{shape} in {case.dtype} does not fit into the memory of {device.name}.",
            hint=f"triton-path bench fused-transformer --shape {max(shape.rows // 4, 1)}"
            f"x{shape.width}",
        ) from fault


def _bench_shape(
    case: Case, shape: Shape, device: Device, say: Callable[[str], None]
) -> tuple[ShapeReport, list[ProviderReport], list[str], list[str]]:
    dtype = getattr(torch, case.dtype)
    inputs = problem.random_inputs(shape, dtype, "cuda", seed=DATA_SEED)
    say(f"{shape}: compiling and checking")
    prepared, notes = _prepare_all(case, shape, inputs)
    say(f"{shape}: timing by turns")
    l2_bytes = device.l2_bytes or 0
    runs = {r.provider.name: _call(r.provider, inputs) for r in prepared if not r.check.faults}
    timings = time_on_gpu({COPY: _copy(shape, dtype), **runs}, l2_bytes)
    copy = bandwidth(4 * inputs.x.nbytes, timings[COPY].value)
    say(f"{shape}: timing CUDA graphs")
    graphs = {name: graph for name, run in runs.items() if (graph := _graph(run)) is not None}
    replays = {name: graph.replay for name, graph in graphs.items()}
    graph_timings = time_on_gpu(replays, l2_bytes) if replays else {}

    reports = [
        _report(ready, shape, device, timings.get(name), graph_timings.get(name), copy)
        for ready in prepared
        for name in [ready.provider.name]
    ]
    faults = [f"{shape}: {r.name}: {r.refused}" for r in reports if r.refused]
    fused = next(ready.provider for ready in prepared if ready.provider.name == FUSED)
    eager = prepared[0].provider
    ratio = (eager.read + eager.written) / (fused.read + fused.written)
    about = ShapeReport(
        rows=shape.rows,
        width=shape.width,
        device=device.name,
        traffic_ratio=Figure(value=ratio, unit="x", kind="counted"),
        copy_time=timings[COPY],
        copy_bandwidth=copy,
    )
    return about, with_speedups(reports), faults, notes


def _prepare_all(case: Case, shape: Shape, inputs: Inputs) -> tuple[list[Prepared], list[str]]:
    """Compile, count and check every provider; eager comes first, its error is the measure."""
    size = BYTES[case.dtype]
    providers = [
        problem.eager_provider(case, shape, size),
        problem.best_eager_provider(case, shape, size),
        problem.compiled_provider(case, shape, size),
        problem.fused_provider(case, shape, size),
    ]
    if case.dropout > 0 and case.rounds != REFERENCE_ROUNDS:
        providers.append(problem.fused_provider(case, shape, size, rounds=REFERENCE_ROUNDS))
    prepared: list[Prepared] = []
    notes: list[str] = []
    eager_seen = None
    for provider in providers:
        run = _call(provider, inputs)
        try:
            start = time.perf_counter()
            run()
            torch.cuda.synchronize()
            first_s = time.perf_counter() - start
        except torch.OutOfMemoryError:
            raise
        except Exception as fault:
            line = (str(fault).splitlines() or [""])[0]
            if provider.name != COMPILED:
                raise MissingHere(
                    f"{provider.name} does not run here: {type(fault).__name__}: {line}",
                    hint=mend(line),
                ) from fault
            notes.append(f"torch.compile does not run here: {type(fault).__name__}: {line}")
            continue
        seen = observe(provider.run, inputs, case.dropout, seed=CHECK_SEED)
        eager_seen = eager_seen or seen
        compiles = provider.name not in (EAGER, BEST_EAGER)
        prepared.append(
            Prepared(
                provider,
                kernels(run),
                judge(seen, eager_seen, inputs.x.dtype),
                Figure(value=first_s, unit="s", kind="measured") if compiles else None,
            )
        )
    return prepared, notes


def _call(provider: Provider, inputs: Inputs) -> Callable[[], object]:
    return lambda: provider.run(inputs.x, inputs.residual, inputs.weight)


def _launch_fault(ready: Prepared) -> str | None:
    expected, found = len(ready.provider.steps), len(ready.kernels)
    if not ready.provider.exact or expected == found:
        return None
    return f"It ran {found} kernels where {expected} were expected."


def _copy(shape: Shape, dtype: torch.dtype) -> Callable[[], object]:
    """Return a copy of random data as large as what the fused kernel moves."""
    source = torch.randn(2 * shape.rows, shape.width, device="cuda").to(dtype)
    target = torch.empty_like(source)
    return lambda: target.copy_(source)


def _graph(run: Callable[[], object]) -> torch.cuda.CUDAGraph | None:
    """Record `run` as a CUDA graph; None where something in it cannot be recorded."""
    graph = torch.cuda.CUDAGraph()
    with contextlib.suppress(RuntimeError), torch.cuda.graph(graph):
        run()
        return graph
    torch.cuda.synchronize()
    return None


def _report(
    ready: Prepared,
    shape: Shape,
    device: Device,
    timing: Timing | None,
    graph_time: Timing | None,
    copy: Figure,
) -> ProviderReport:
    """Put together what is known of one provider; one that failed its check was not timed."""
    provider = ready.provider
    moved = provider.read + provider.written
    assert device.large_copy is not None
    refused = [*ready.check.faults, _launch_fault(ready)]
    reached = share = None
    if timing is not None:
        peak = max(device.large_copy.value, copy.value)
        least = least_us(provider.read, provider.written, device.l2_bytes or 0, peak)
        refused.append(too_fast(timing.value, least))
        reached = bandwidth(moved, timing.value)
        share = Figure(value=100 * reached.value / copy.value, unit="%", kind="measured")
    floor = Figure(value=moved / device.large_copy.value / 1e3, unit="us", kind="predicted")
    return ProviderReport(
        name=provider.name,
        device=device.name,
        rows=shape.rows,
        width=shape.width,
        launches=Figure(value=len(ready.kernels), unit="kernels", kind="measured"),
        kernels=tuple(ready.kernels),
        bytes=Figure(value=moved, unit="B", kind="counted"),
        read=provider.read,
        floor=floor,
        time=timing,
        graph_time=graph_time,
        bandwidth=reached,
        of_copy=share,
        check=ready.check,
        compile_time=ready.compile_time,
        refused=" ".join(fault for fault in refused if fault) or None,
    )
