"""Traces a file in a worker: the report of what its kernels did, or what there is to mend."""

from __future__ import annotations

from math import prod
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.errors import ExitCode, MissingFault, TutorError, UsageFault, unknown_name
from triton_path.jobs.trace import TraceAnswer, TraceJob, TraceReport
from triton_path.sandbox import WorkerFault, run_job
from triton_path.tutor.roofline import roofline, target_of
from triton_path.tutor.trace_options import HAND, shown_path
from triton_path.tutor.trace_words import too_large_text

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.messages import Progress
    from triton_path.jobs.watch import WatchReport
    from triton_path.tutor.trace_options import Request

SECONDS = 60.0
SPARE_SECONDS = 90.0
"""What a launch may take beyond, with its runs in other orders; then the worker is ended."""


class FileFault(TutorError):
    """The person's file raised before it launched anything."""

    exit_code = ExitCode.WRONG


def run_trace(request: Request, on_progress: Callable[[Progress], None]) -> TraceReport:
    """Run the file in a worker and return the report.

    Raises UsageFault or FileFault for what the person has to mend, MissingFault where torch or
    Triton is missing or cannot be watched, WorkerFault where the file crashed.
    """
    job = TraceJob(
        path=str(request.script or request.path),
        function=request.function,
        everything=request.everything,
        capability=request.gpu.capability,
        seconds=SECONDS,
        by_hand=request.by_hand,
        programs=request.programs,
    )
    try:
        answer = run_job(
            job,
            TraceAnswer,
            interpret=True,
            time_limit_s=SECONDS + SPARE_SECONDS,
            on_progress=on_progress,
        )
    except WorkerFault as fault:
        raise WorkerFault(fault.message, hint="smaller sizes, or one kernel at a time") from fault
    _require_launch(answer, request)
    return _report(answer, request)


def _require_launch(answer: TraceAnswer, request: Request) -> None:
    """Raise what the person has to mend where nothing was launched."""
    name, function, ran = request.path.name, request.function, answer.ran
    kernel = answer.kernels[0] if answer.kernels else "KERNEL"
    if answer.trouble == "no such function":
        known = answer.functions
        listing = f"{request.command}   (functions: {', '.join(known) or 'none'})"
        raise unknown_name("function", str(function), known, listing)
    if answer.trouble == "is a kernel":
        message = f"{function} is a kernel: trace the code that launches it, or give its arguments."
        raise UsageFault(
            message,
            hint=f"{request.command} --kernel {function}   or   ...:{function} {HAND}",
        )
    if answer.trouble == "no such kernel":
        raise unknown_name(
            "kernel", str(request.kernel), answer.kernels, f"{request.command}:KERNEL {HAND}"
        )
    if answer.trouble == "which kernel":
        message = f"{name} has no kernel."
        if answer.kernels:
            message = f"{name} has several kernels: {', '.join(answer.kernels)}."
        raise UsageFault(message, hint=f"{request.command}:{kernel} {HAND}")
    if answer.trouble == "wrong arguments":
        one = request.kernel or kernel
        raise UsageFault(answer.detail, hint=f"{request.command}:{one} {HAND}")
    if answer.trouble == "needs arguments":
        message = f"{function} needs arguments: add a function that calls it with some."
        raise UsageFault(message, hint=f"{request.command}:main")
    if answer.watch.launches or any(f.launch == -1 for f in answer.watch.faults):
        return
    if ran.too_large is not None:
        raise MissingFault(too_large_text(ran.too_large, name), hint=_smaller(answer, request))
    if ran.raised and request.script is not None:  # the traceback is the script's
        message = f"{name} raised before it launched a kernel: {ran.raised.split(chr(10))[-1]}"
        raise FileFault(message, hint=f"triton-path practice check {shown_path(request.path)}")
    if ran.raised:
        message = f"{name} raised before it launched a kernel.\n\n{ran.raised}\n"
        raise FileFault(message, hint=f"mend it, then {request.command}")
    if ran.out_of_time:
        message = f"{name} still ran after {SECONDS:.0f} s and had launched no kernel."
        raise FileFault(message, hint=f"smaller sizes, then {request.command}")
    ran_as = f"{ran.called}() of {name}" if ran.called else name
    message = f"{ran_as} came to its end and launched no kernel."
    if not answer.kernels:
        message += " It has no @triton.jit function either."
    others = [] if request.script else [f for f in answer.functions if f != ran.called]
    if others:
        raise UsageFault(message, hint=f"{request.command}:{others[0]}")
    if not answer.kernels:
        raise UsageFault(message, hint="launch one: kernel[grid](...)")
    message += " Launch one in it, or give the arguments of a launch."
    raise UsageFault(message, hint=f"{request.command}:{kernel} {HAND}")


def _report(answer: TraceAnswer, request: Request) -> TraceReport:
    watch, elsewhere = answer.watch, 0
    if request.kernel is not None:
        watch = of_kernel(watch, request.kernel)
        if not watch.launches:
            _raise_kernel(answer, request, request.kernel)
        elsewhere = _faults(answer.watch) - _faults(watch)
    if request.programs is not None and not any(launch.programs for launch in watch.launches):
        most = max(prod(launch.grid) for launch in watch.launches)
        message = f"None of the programs asked for is in a grid: the largest has {most}."
        raise UsageFault(message, hint=f"{request.command} --programs 0,-1")
    if request.program is not None and watch.launches:
        most = max(prod(launch.grid) for launch in watch.launches)
        if request.program >= most:
            message = f"There is no program {request.program}: the largest grid has {most}."
            raise UsageFault(message, hint=f"{request.command} --program {max(0, most - 1)}")
    gpu, table = request.gpu, request.table
    return TraceReport(
        file=str(request.path),
        kernel=request.kernel,
        everything=request.everything,
        target=target_of(gpu, table),
        watch=watch,
        rooflines=tuple(
            roofline(number, launch, gpu, table) for number, launch in enumerate(watch.launches)
        ),
        ran=answer.ran,
        stopped_launch=stopped_launch(watch),
        faults_elsewhere=elsewhere,
    )


def stopped_launch(watch: WatchReport) -> int | None:
    """Return the launch that a fault stopped, if one did."""
    stopped = (n for n, launch in enumerate(watch.launches) if launch.stopped_by is not None)
    return next(stopped, None)


def _smaller(answer: TraceAnswer, request: Request) -> str:
    """Return the command that needs no tensors of that size."""
    if not answer.kernels:
        return "smaller sizes"
    return f"smaller sizes, or shapes alone: {request.command}:{answer.kernels[0]} {HAND}"


def _faults(watch: WatchReport) -> int:
    return sum(fault.severity == "fault" for fault in watch.faults)


def _raise_kernel(answer: TraceAnswer, request: Request, kernel: str) -> None:
    launched = tuple(dict.fromkeys(launch.kernel for launch in answer.watch.launches))
    if kernel not in answer.kernels:
        listing = f"{request.command} --kernel {launched[0] if launched else 'NAME'}"
        raise unknown_name("kernel", kernel, answer.kernels, listing)
    message = f"{kernel} was not launched; launched: {', '.join(launched) or 'none'}."
    if answer.ran.stopped:
        message += " The file was stopped at a fault before its end."
    raise UsageFault(message, hint=request.command)


def of_kernel(watch: WatchReport, kernel: str) -> WatchReport:
    """Return the launches and faults of `kernel` alone, with their numbers as they are then."""
    numbers = [n for n, launch in enumerate(watch.launches) if launch.kernel == kernel]
    place = {number: position for position, number in enumerate(numbers)}
    kept = [n for n, fault in enumerate(watch.faults) if fault.launch in place]
    faults = [
        watch.faults[n].model_copy(update={"launch": place[watch.faults[n].launch]}) for n in kept
    ]
    launches = [
        launch
        if launch.stopped_by is None
        else launch.model_copy(update={"stopped_by": kept.index(launch.stopped_by)})
        for launch in (watch.launches[number] for number in numbers)
    ]
    return watch.model_copy(update={"launches": tuple(launches), "faults": tuple(faults)})


def source_lines(report: TraceReport) -> dict[str, tuple[str, ...]]:
    """Return the text of every file that the faults name; a file that is gone is left out."""
    found: dict[str, tuple[str, ...]] = {}
    places = [fault.place for fault in report.watch.faults if fault.place is not None]
    for file in {place.file for place in places}:
        try:
            found[file] = tuple(Path(file).read_text(encoding="utf-8").splitlines())
        except (OSError, UnicodeDecodeError):
            continue
    return found
