"""The whole job: on a GPU the bench, elsewhere what can be said without one."""

from __future__ import annotations

import platform
from datetime import datetime
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import BenchReport, Device, RandomNumbers
from triton_path.jobs.messages import Progress
from triton_path.worker.bench import on_cpu
from triton_path.worker.bench.needs import versions
from triton_path.worker.bench.timing import time_host
from triton_path.worker.kernels import fused_transformer as chain

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import BenchJob, Case, ProviderReport, ShapeReport
    from triton_path.jobs.messages import Message

BENCH = "fused-transformer"


def bench(job: BenchJob, send: Callable[[Message], None]) -> BenchReport:
    """Do all shapes of `job`; predictions, verification and the verdict are the tutor's to add.

    Raises MissingHere where the machine lacks what the bench needs.
    """
    from triton_path.worker.bench.device import gpu_facts, gpu_here, read_clocks

    started = datetime.now().astimezone().isoformat(timespec="seconds")
    steps = 0

    def say(text: str) -> None:
        nonlocal steps
        send(Progress(text=text, done=steps, total=3 * len(job.shapes)))
        steps += 1

    shapes: list[ShapeReport] = []
    providers: list[ProviderReport] = []
    faults: list[str] = []
    notes: list[str] = []
    if gpu_here():
        from triton_path.worker.bench.on_gpu import bench_shape, large_copy

        device = gpu_facts()
        copied = large_copy(device.memory_bytes or 0)
        before = read_clocks("before")
        device = device.model_copy(update={"large_copy": copied})
        for shape in job.shapes:
            about, reports, wrong, remarks = bench_shape(job.case, shape, device, say)
            shapes.append(about)
            providers += reports
            faults += wrong
            notes += remarks
        clocks = tuple(state for state in (before, read_clocks("after")) if state)
        if not clocks:
            notes.append("Clocks, power and throttling were not read: nvidia-smi does not answer.")
        device = device.model_copy(update={"clocks": clocks})
    else:
        device = Device(
            kind="cpu",
            name=platform.processor() or platform.machine(),
            threads=torch.get_num_threads(),
        )
        for shape in job.shapes:
            about, reports = on_cpu.count_shape(job.case, shape, job.cpu_elements)
            shapes.append(about)
            providers += reports
        for small in dict.fromkeys(on_cpu.cpu_shape(s, job.cpu_elements) for s in job.shapes):
            timed, wrong, remarks = on_cpu.measure_shape(job.case, small, say)
            providers += timed
            faults += wrong
            notes += [remark for remark in remarks if remark not in notes]
    return BenchReport(
        bench=BENCH,
        date=started,
        versions=versions(),
        device=device,
        case=job.case,
        random=_random_numbers(job.case),
        shapes=tuple(shapes),
        providers=tuple(providers),
        faults=tuple(faults),
        notes=tuple(notes),
    )


def _random_numbers(case: Case) -> RandomNumbers:
    return RandomNumbers(
        rounds=case.rounds,
        threshold_bits=chain.THRESHOLD_BITS,
        elements_per_call=chain.ELEMENTS_PER_CALL,
        seed="drawn on the host from torch's CPU generator: no kernel, no bytes",
        seed_time=time_host(chain.draw_seed),
    )
