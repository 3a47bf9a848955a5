"""Makes a launch on this machine's GPU: what the driver says of the kernel, and its time.

The file is run for real up to the launch; then the launch is repeated on the tensors that it had.
This process is the job's own: whatever the kernel breaks ends with it.
"""

from __future__ import annotations

import contextlib
import datetime
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch
import triton

from triton_path.jobs.inspect import TARGETS, InspectAnswer, Measured, MeasuredBuild
from triton_path.jobs.messages import Progress
from triton_path.worker.bench.device import gpu_facts, gpu_here, read_clocks
from triton_path.worker.bench.timing import time_on_gpu
from triton_path.worker.compiler import private
from triton_path.worker.compiler.arguments import describe
from triton_path.worker.compiler.build import varied
from triton_path.worker.compiler.capture import Captured, Enough, Recorded, bound, execute, grid_of
from triton_path.worker.compiler.choosing import (
    CannotInspect,
    launch_by_options,
    launches_of,
    numbered,
    signature,
)
from triton_path.worker.compiler.driver import most_programs
from triton_path.worker.compiler.standins import uncompiled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triton_path.jobs.inspect import Build, InspectJob
    from triton_path.jobs.messages import Message

DEFAULT_L2_BYTES = 64 << 20
MOST_CHARACTERS = 160
BY_HAND = "given by options: there are no tensors to run it on"
FIXED_GRID = "not timed: the file's grid does not follow the constants"


def measure(job: InspectJob, send: Callable[[Message], None]) -> InspectAnswer:
    """Measure, or say in one line why not; whatever goes wrong is no reason to fail."""
    try:
        if not torch.cuda.is_available():
            return InspectAnswer(
                unmeasured="torch sees no GPU that it can use (triton-path doctor)"
            )
        if not gpu_here():
            return InspectAnswer(unmeasured="Triton compiles for no GPU as old as this one")
        return InspectAnswer(measured=_measured(job, send))
    except CannotInspect as fault:
        return InspectAnswer(unmeasured=f"on the GPU, {one_line(fault)}")
    except Exception as fault:
        return InspectAnswer(unmeasured=f"{type(fault).__name__}: {one_line(fault)}")


def one_line(fault: BaseException) -> str:
    """Return the first line of a message, cut where it is long."""
    text = next((line.strip() for line in str(fault).splitlines() if line.strip()), "no message")
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 1]}…"


def _measured(job: InspectJob, send: Callable[[Message], None]) -> Measured:
    facts = gpu_facts()
    send(Progress(text=f"running {Path(job.path).name} on {facts.name}"))
    launches = launches_on_gpu(job)
    builds = list(different(job.builds))
    before = read_clocks("before")
    made = []
    runs: dict[str, Callable[[], object]] = {}
    for label, build in builds:
        launch = numbered(launches, build.launch or (1 if job.arguments else job.launch))
        try:
            found, run = _load(varied(launch, build, job.constants), label, build, job)
        except private.CompilationError:
            continue  # the report says why
        made.append(found)
        if run is not None:
            runs[label] = run
    send(Progress(text=f"timing on {facts.name}"))
    times = time_on_gpu(runs, facts.l2_bytes or DEFAULT_L2_BYTES) if runs else {}
    clocks = (before, read_clocks("after"))
    return Measured(
        device=facts.name,
        target=_own_target(),
        driver=facts.driver,
        torch=torch.__version__,
        triton=triton.__version__,
        date=datetime.datetime.now().astimezone().date().isoformat(),
        clocks=tuple(reading for reading in clocks if reading is not None),
        builds=tuple(found.model_copy(update={"time": times.get(found.label)}) for found in made),
    )


def _own_target() -> str:
    properties = torch.cuda.get_device_properties(torch.cuda.current_device())
    if torch.version.hip is not None:
        return str(properties.gcnArchName).split(":")[0]
    return f"sm_{properties.major}{properties.minor}"


def different(builds: tuple[Build, ...]) -> Iterator[tuple[str, Build]]:
    """Give the builds that differ on one GPU, each with what tells it apart there.

    Other targets are not its own, and its tensors have the alignment that they have.
    """
    seen = set()
    for build in builds:
        constants = tuple(sorted(build.constants.items()))
        what = (build.num_warps, build.num_stages, constants, build.launch)
        if build.unaligned or what in seen:
            continue
        seen.add(what)
        parts = build.label.split(", ")
        own = (p for p in parts if p not in TARGETS and not p.startswith("target="))
        yield ", ".join(own) or "as launched", build


def launches_on_gpu(job: InspectJob) -> list[Recorded]:
    """Return the distinct launches of the job's kernel, made on the GPU. Raises CannotInspect."""
    captured = Captured()
    path = Path(job.path)
    if job.arguments:
        execute(path, captured, call_main=False)
        return launch_by_options(job, captured)
    wanted = max(job.launch, *(build.launch or 1 for build in job.builds))
    with launching(captured, job.kernel, wanted), private.replaced(torch, "compile", uncompiled):
        execute(path, captured, call_main=True)
    return launches_of(job, captured)


@contextlib.contextmanager
def launching(captured: Captured, name: str | None, wanted: int) -> Iterator[None]:
    """Make every launch, keep the distinct ones of the kernel, and stop after `wanted` of them.

    What an autotuner launches to choose a configuration is left out; what it chose counts.
    """
    seen = set()
    choosing: list[object] = []
    run, bench = private.JITFunction.run, private.Autotuner._bench

    def make(kernel: Any, *args: Any, grid: Any, warmup: bool, **named: Any) -> Any:
        made = run(kernel, *args, grid=grid, warmup=warmup, **named)
        if choosing or name not in (None, kernel.__name__):
            return made
        shown = grid_of(grid, bound(kernel, args, named))
        launch = Recorded(kernel, args, named, shown, 0, grid)
        if signature(launch) not in seen:
            # Only these are kept: each holds tensors, and a GPU's memory is small.
            seen.add(signature(launch))
            captured.launches.append(launch)
            if len(captured.launches) >= wanted:
                raise Enough
        return made

    def choose(tuner: Any, *args: Any, **named: Any) -> Any:
        choosing.append(tuner)
        try:
            return bench(tuner, *args, **named)
        finally:
            choosing.pop()

    with (
        private.replaced(private.JITFunction, "run", make),
        private.replaced(private.Autotuner, "_bench", choose),
    ):
        yield


def _load(
    launch: Recorded, label: str, build: Build, job: InspectJob
) -> tuple[MeasuredBuild, Callable[[], object] | None]:
    """Compile for this GPU, launch once, and return what the driver says and how to repeat it."""
    note = ""
    if job.arguments:
        note = BY_HAND
    elif (build.constants or job.constants) and not callable(launch.grid_rule):
        note = FIXED_GRID

    def run(*, warmup: bool = False) -> Any:
        return launch.kernel.run(grid=launch.grid_rule, warmup=warmup, **launch.named)

    compiled = run(warmup=True)
    found = MeasuredBuild(
        label=label,
        arguments=describe(launch),
        num_warps=compiled.metadata.num_warps,
        num_stages=compiled.metadata.num_stages,
        note=note,
    )
    try:
        registers, local, function = private.load(compiled)
    except private.OutOfResources as fault:
        return found.model_copy(update={"note": one_line(fault)}), None
    if not note:
        run()
        torch.cuda.synchronize()
    told = {
        "registers": registers,
        "local_bytes": local,
        "programs": most_programs(function, compiled),
    }
    return found.model_copy(update=told), None if note else run
