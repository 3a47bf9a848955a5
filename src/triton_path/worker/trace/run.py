"""The job itself: the file, under the watch, on the CPU."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.jobs.messages import Progress
from triton_path.jobs.trace import Ran, TraceAnswer
from triton_path.worker.missing import MissingHere
from triton_path.worker.trace.on_cpu import led_to_cpu
from triton_path.worker.trace.printed import noted
from triton_path.worker.trace.running import Running
from triton_path.worker.watch import WatchOptions, selftest, watch

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.messages import Message
    from triton_path.jobs.trace import TraceJob
    from triton_path.jobs.watch import WatchReport

PROGRAM_SECONDS = 10.0
"""What the last program of a launch may take alone before it is called endless."""


def trace(job: TraceJob, send: Callable[[Message], None]) -> TraceAnswer:
    """Run the file of `job` and return what its kernels did.

    Raises MissingHere where the watch does not work with the Triton that is installed.
    """
    reason = selftest.reason_not_to_watch()
    if reason:
        raise MissingHere(f"Nothing can be traced here. {reason}", hint="triton-path doctor")
    send(Progress(text=f"running {Path(job.path).name} in Triton's interpreter"))
    running = Running(job)
    options = WatchOptions.everything(
        order=job.everything,
        poison=job.everything,
        programs=job.programs,
        budget_s=job.launch_seconds if job.programs is None else None,
        time_limit_s=PROGRAM_SECONDS + 2 * job.launch_seconds,
    )
    with noted() as printed, watch(options) as state, led_to_cpu(job.capability) as asked:
        running.run(lambda: len(state.report.launches))
    report = without_repeated_pictures(state.report)
    launched = dict.fromkeys(launch.kernel for launch in report.launches)
    return TraceAnswer(
        watch=report,
        ran=Ran(
            printed=printed.lines,
            printed_lines=printed.total,
            raised=running.raised,
            too_large=running.too_large,
            out_of_time=running.out_of_time,
            stopped=not running.finished,
            led_to_cpu=asked.for_cuda,
            called=running.called,
        ),
        kernels=tuple(dict.fromkeys([*running.kernels(), *launched])),
        functions=running.functions(),
        trouble=running.trouble,
        detail=running.detail,
    )


def without_repeated_pictures(report: WatchReport) -> WatchReport:
    """Leave out the pictures of launches that repeat an earlier one: a loop may make thousands."""
    seen = []
    launches = []
    for launch in report.launches:
        if launch in seen:
            launch = launch.model_copy(update={"ownership": ()})
        else:
            seen.append(launch)
        launches.append(launch)
    return report.model_copy(update={"launches": tuple(launches)})
