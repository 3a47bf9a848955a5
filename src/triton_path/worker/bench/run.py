"""The whole job: on a GPU the bench, elsewhere what can be said without one."""

from __future__ import annotations

import platform
from dataclasses import dataclass, field
from datetime import datetime
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import BenchReport, Device, Shape
from triton_path.jobs.messages import Progress
from triton_path.worker.bench import on_cpu
from triton_path.worker.bench.backward import gradients_of
from triton_path.worker.bench.chains import find
from triton_path.worker.bench.drawing import META
from triton_path.worker.bench.needs import versions

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triton_path.jobs.bench import BenchJob, Case, ProviderReport, ShapeReport
    from triton_path.jobs.messages import Message
    from triton_path.worker.bench.chain import Chain

DATA_SEED = 99
MOST_ON_CPU = 6
"""Sizes that a CPU is timed at: each compiles anew."""


@dataclass
class Collected:
    """What the sizes of one run gave."""

    shapes: list[ShapeReport] = field(default_factory=list)
    providers: list[ProviderReport] = field(default_factory=list)
    faults: list[str] = field(default_factory=list)
    notes: list[str] = field(default_factory=list)

    def add(
        self, reports: Sequence[ProviderReport], faults: Sequence[str], notes: Sequence[str]
    ) -> None:
        """Take what one size gave; a note that was taken before is left out."""
        self.providers += reports
        self.faults += faults
        self.notes += [note for note in notes if note not in self.notes]


def bench(job: BenchJob, send: Callable[[Message], None]) -> BenchReport:
    """Do all shapes of `job`; predictions, verification and the verdict are the tutor's to add.

    Raises MissingHere where the machine lacks what the bench needs.
    """
    chain = find(job.bench, job.case)
    if job.case.backward:
        chain = gradients_of(chain)
    dtype = getattr(torch, job.case.dtype)
    return report_on(chain, job.case, job.shapes, send, _sized(chain, dtype), job)


def _sized(chain: Chain, dtype: torch.dtype) -> Callable[[Shape, str], dict[str, object]]:
    return lambda shape, device: chain.inputs(shape, dtype, device, DATA_SEED)


def report_on(
    chain: Chain,
    case: Case,
    shapes: Sequence[Shape],
    send: Callable[[Message], None],
    draw: Callable[[Shape, str], dict[str, object]],
    job: BenchJob,
    *,
    measure_cpu: bool = True,
) -> BenchReport:
    """Bench `chain` at every shape; `draw` gives its arguments on a device.

    `measure_cpu`: without a GPU, also time eager against torch.compile there.
    """
    from triton_path.worker.bench.device import gpu_here

    started = datetime.now().astimezone().isoformat(timespec="seconds")
    steps = 0

    def say(text: str) -> None:
        nonlocal steps
        send(Progress(text=text, done=steps, total=3 * len(shapes)))
        steps += 1

    if gpu_here():
        device, found = _on_gpu(chain, shapes, draw, say, job.providers)
    else:
        device = Device(
            kind="cpu",
            name=platform.processor() or platform.machine(),
            threads=torch.get_num_threads(),
        )
        found = _on_cpu(chain, shapes, draw, say, job, measure=measure_cpu)
    return BenchReport(
        bench=chain.name,
        about=chain.about,
        date=started,
        versions=versions(),
        device=device,
        case=case,
        random=chain.random() if chain.random is not None else None,
        shapes=tuple(found.shapes),
        providers=tuple(found.providers),
        faults=tuple(found.faults),
        notes=tuple(found.notes),
    )


def _on_gpu(
    chain: Chain,
    shapes: Sequence[Shape],
    draw: Callable[[Shape, str], dict[str, object]],
    say: Callable[[str], None],
    wanted: tuple[str, ...],
) -> tuple[Device, Collected]:
    from triton_path.worker.bench.device import gpu_facts, read_clocks
    from triton_path.worker.bench.machine import Gpu
    from triton_path.worker.bench.on_gpu import bench_size, does_not_fit, large_copy

    device = gpu_facts()
    gpu = Gpu(device.l2_bytes or 0)
    copied = large_copy(device.memory_bytes or 0)
    before = read_clocks("before")
    device = device.model_copy(update={"large_copy": copied})
    found = Collected()
    for shape in shapes:
        try:
            tensors = draw(shape, gpu.device)
        except torch.OutOfMemoryError as fault:
            raise does_not_fit(chain, shape, device) from fault
        about, reports, faults, notes = bench_size(chain, tensors, shape, device, gpu, say, wanted)
        found.shapes.append(about)
        found.add(reports, faults, notes)
    clocks = tuple(state for state in (before, read_clocks("after")) if state)
    if not clocks:
        found.notes.append(
            "Clocks, power and throttling were not read: nvidia-smi does not answer."
        )
    return device.model_copy(update={"clocks": clocks}), found


def _on_cpu(
    chain: Chain,
    shapes: Sequence[Shape],
    draw: Callable[[Shape, str], dict[str, object]],
    say: Callable[[str], None],
    job: BenchJob,
    *,
    measure: bool,
) -> Collected:
    found = Collected()
    for shape in shapes:
        tensors = draw(shape, META)
        about, reports = on_cpu.count_size(chain, tensors, shape, job.cpu_elements, job.providers)
        found.shapes.append(about)
        found.add(reports, (), ())
    if job.case.backward or not measure:
        return found  # the autograd of a CPU is another one than a GPU's
    if len(shapes) > MOST_ON_CPU:
        found.notes.append(f"This CPU is timed for up to {MOST_ON_CPU} sizes, and not for a sweep.")
        return found
    for small in dict.fromkeys(on_cpu.cpu_shape(shape, job.cpu_elements) for shape in shapes):
        found.add(*on_cpu.measure_size(chain, draw(small, on_cpu.CPU), small, say))
    return found
