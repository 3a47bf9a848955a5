"""Adds to a report what this machine's GPU made of the launch, or one line that says why not."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.errors import TutorError
from triton_path.jobs.inspect import InspectAnswer
from triton_path.jobs.machine import gpu_device_here
from triton_path.sandbox import BugFault, run_job
from triton_path.tutor.inspect import RUN_SECONDS, SECONDS_A_BUILD

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.inspect import InspectJob, InspectReport
    from triton_path.jobs.messages import Progress


def with_measurement(
    report: InspectReport, job: InspectJob, on_progress: Callable[[Progress], None]
) -> InspectReport:
    """Return the report with its measurement; as it is where no GPU is here.

    The launch is made in a process of its own, after the report was made without a driver: so the
    rest of the report is the same on every machine, and a kernel that breaks the GPU's state, or
    never ends, costs the measurement alone.
    """
    if not gpu_device_here() or all(build.facts is None for build in report.builds):
        return report
    # The kernel's name is known by now; without it, a file that launches another one on a GPU
    # would not say which is meant.
    measuring = job.model_copy(update={"kernel": report.kernel, "measure": True, "show": None})
    try:
        answer = run_job(
            measuring,
            InspectAnswer,
            interpret=False,
            time_limit_s=RUN_SECONDS + SECONDS_A_BUILD * len(job.builds),
            on_progress=on_progress,
        )
    except TutorError as fault:
        answer = InspectAnswer(unmeasured=fault.message.splitlines()[0])
    except BugFault as fault:
        answer = InspectAnswer(unmeasured=f"a bug in triton-path: {str(fault).splitlines()[0]}")
    return report.model_copy(update={"measured": answer.measured, "unmeasured": answer.unmeasured})
