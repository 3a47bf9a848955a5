"""The bench of one size on a GPU: predict, check, then time."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import EAGER, LIGER, Figure, ProviderReport, ShapeReport
from triton_path.worker.bench.counting import count
from triton_path.worker.bench.describing import described
from triton_path.worker.bench.explaining import bound_of
from triton_path.worker.bench.ledger import ledger_of
from triton_path.worker.bench.preparing import Prepared, prepare
from triton_path.worker.bench.timing import summarise, time_on_gpu
from triton_path.worker.bench.verdicts import bandwidth, least_us, too_fast, with_speedups
from triton_path.worker.missing import MissingHere

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import Device, Shape, Timing
    from triton_path.worker.bench.chain import Chain, Tensors, Traffic
    from triton_path.worker.bench.machine import Gpu

COPY = "copy"
LARGE_COPY_BYTES = 1 << 30


@dataclass
class Measured:
    """All times of one size, by provider."""

    with_launches: dict[str, Timing]
    copy_time: Timing
    graphs: dict[str, Timing] = field(default_factory=dict)
    kernels: dict[str, list[list[float]]] = field(default_factory=dict)
    """Times of each kernel, of every profiled run."""
    host: dict[str, Figure] = field(default_factory=dict)


def large_copy(memory_bytes: int) -> Figure:
    """Measure the bandwidth of a copy of 1 GiB (less on a small GPU), read plus write."""
    size = min(LARGE_COPY_BYTES, memory_bytes // 8)
    source = torch.randint(-128, 127, (size,), dtype=torch.int8, device="cuda")
    target = torch.empty_like(source)
    timing = time_on_gpu({COPY: lambda: target.copy_(source)}, 64 << 20)[COPY]
    return bandwidth(2 * size, timing.value)


def bench_size(
    chain: Chain,
    tensors: Tensors,
    shape: Shape,
    device: Device,
    gpu: Gpu,
    say: Callable[[str], None],
    wanted: tuple[str, ...] = (),
) -> tuple[ShapeReport, list[ProviderReport], list[str], list[str]]:
    """Return the reports of one size, the faults that were found, and notes.

    Raises MissingHere where the GPU's memory is too small or a provider cannot be compiled.
    """
    try:
        with torch.no_grad():
            return _bench_size(chain, tensors, shape, device, gpu, say, wanted)
    except torch.OutOfMemoryError as fault:
        raise does_not_fit(chain, shape, device) from fault


def does_not_fit(chain: Chain, shape: Shape, device: Device) -> MissingHere:
    """Return the fault for a size that needs more memory than there is."""
    hint = f"triton-path bench {chain.name} --shape {max(shape.rows // 4, 1)}x{shape.width}"
    if any(provider.own for provider in chain.others) or chain.name.endswith(".py"):
        hint = "smaller tensors in inputs()"
    return MissingHere(f"{shape} does not fit into the memory of {device.name}.", hint=hint)


def _bench_size(
    chain: Chain,
    tensors: Tensors,
    shape: Shape,
    device: Device,
    gpu: Gpu,
    say: Callable[[str], None],
    wanted: tuple[str, ...],
) -> tuple[ShapeReport, list[ProviderReport], list[str], list[str]]:
    say(f"{shape}: compiling and checking")
    prepared, notes, least = prepare(chain, tensors, gpu, wanted)
    say(f"{shape}: timing by turns")
    sound = [ready for ready in prepared if not ready.check.faults]
    times = _measure(sound, least, gpu, lambda: say(f"{shape}: graphs, kernels and the host"))
    copy = bandwidth(2 * (least.moved // 2), times.copy_time.value)
    reports = [_report(ready, shape, device, times, copy, least, gpu) for ready in prepared]
    wrong = [(r.name, f"{shape}: {r.name}: {r.refused}") for r in reports if r.refused]
    faults = [fault for name, fault in wrong if name != LIGER]
    # Another library's fault is told, and is none of this run.
    notes += [fault for name, fault in wrong if name == LIGER]
    eager = prepared[0]
    ledger = None
    if eager.provider.counted:
        counted = count(chain.eager, tensors)
        ledger = ledger_of(counted, eager.kernels, times.kernels.get(EAGER))
    about = ShapeReport(
        rows=shape.rows,
        width=shape.width,
        device=device.name,
        traffic_ratio=Figure(value=eager.moved.moved / least.moved, unit="x", kind="counted"),
        least=Figure(value=least.moved, unit="B", kind="counted"),
        inputs=described(tensors),
        ledger=ledger,
        copy_time=times.copy_time,
        copy_bandwidth=copy,
    )
    return about, with_speedups(reports), faults, notes


def _measure(sound: list[Prepared], least: Traffic, gpu: Gpu, say: Callable[[], None]) -> Measured:
    """Time what passed its check: with its launches, as a graph, by kernel, and on the host."""
    calls = {ready.name: ready.call for ready in sound}
    timed = gpu.time({COPY: _copy(least.moved // 2, gpu.device), **calls})
    measured = Measured(timed, timed[COPY])
    say()
    replays = {name: replay for name, call in calls.items() if (replay := gpu.graph(call))}
    measured.graphs = gpu.time(replays) if replays else {}
    for ready in sound:
        taken = gpu.kernel_times(ready.call, len(ready.kernels))
        if taken is not None:
            measured.kernels[ready.name] = taken
        measured.host[ready.name] = gpu.host_time(ready.call)
    return measured


def _copy(size: int, device: str) -> Callable[[], object]:
    """Return a copy of `size` random bytes: as many as the least, read and written."""
    source = torch.randint(-128, 127, (max(1, size),), dtype=torch.int8, device=device)
    target = torch.empty_like(source)
    return lambda: target.copy_(source)


def _report(
    ready: Prepared,
    shape: Shape,
    device: Device,
    times: Measured,
    copy: Figure,
    least: Traffic,
    gpu: Gpu,
) -> ProviderReport:
    """Put together what is known of one provider; one that failed its check was not timed."""
    moved = ready.moved
    large = device.large_copy.value if device.large_copy else copy.value
    refused = list(ready.faults)
    reached = share = None
    timing = times.with_launches.get(ready.name)
    if timing is not None:
        # By the least that any kernel must move: what eager's kernels leave for each other may
        # still lie in the cache.
        floor_us = least_us(least.read, least.written, gpu.l2_bytes, max(large, copy.value))
        refused += [why] if (why := too_fast(timing.value, floor_us)) else []
        reached = bandwidth(moved.moved, timing.value)
        share = Figure(value=100 * reached.value / copy.value, unit="%", kind="measured")
    by_run = zip(*times.kernels.get(ready.name, []), strict=True)
    sums = [sum(run) for run in by_run]
    report = ProviderReport(
        name=ready.name,
        device=device.name,
        rows=shape.rows,
        width=shape.width,
        launches=Figure(value=len(ready.kernels), unit="kernels", kind="measured"),
        kernels=tuple(kernel.name for kernel in ready.kernels),
        bytes=Figure(value=moved.moved, unit="B", kind="counted"),
        at_least=ready.at_least,
        read=moved.read,
        floor=Figure(value=moved.moved / large / 1e3, unit="us", kind="predicted"),
        time=timing,
        graph_time=times.graphs.get(ready.name),
        kernel_time=summarise(sums) if sums else None,
        host_time=times.host.get(ready.name),
        bandwidth=reached,
        of_copy=share,
        check=ready.check,
        compile_time=ready.compile_time,
        refused=" ".join(refused) or None,
    )
    bound = bound_of(report, least.moved, gpu.l2_bytes)
    return report.model_copy(update={"bound": bound})
