"""Asks a worker what the compiler makes of a kernel, and tells what the person has to mend."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.errors import ExitCode, TutorError, UsageFault, unknown_name
from triton_path.jobs.inspect import InspectAnswer
from triton_path.sandbox import WorkerFault, run_job
from triton_path.tutor.inspect_options import EXAMPLE, HELP

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triton_path.jobs.inspect import InspectJob, InspectReport, Trouble
    from triton_path.jobs.messages import Progress

RUN_SECONDS = 90.0
SECONDS_A_BUILD = 120.0
"""A matrix product of large tiles takes the compiler up to half a minute."""


class FileFault(TutorError):
    """The person's file raised before it launched anything."""

    exit_code = ExitCode.WRONG


def run_inspect(
    job: InspectJob, where: str, on_progress: Callable[[Progress], None]
) -> InspectReport:
    """Run the job in a worker and return its report.

    Raises UsageFault or FileFault for what the person has to mend, MissingFault where torch or
    Triton is missing, WorkerFault where the file or the compiler crashed or took too long.
    """
    steps = []

    def remember(step: Progress) -> None:
        steps.append(step.text)
        on_progress(step)

    try:
        answer = run_job(
            job,
            InspectAnswer,
            interpret=False,
            time_limit_s=RUN_SECONDS + SECONDS_A_BUILD * len(job.builds),
            on_progress=remember,
        )
    except WorkerFault as fault:
        during = f" This was while {steps[-1]}." if steps else ""
        hint = f"smaller tiles or sizes, or give the launch: {_by_hand(where, ())}"
        raise WorkerFault(fault.message + during, hint=hint) from fault
    if answer.trouble is not None:
        raise _fault(answer.trouble, job, where)
    assert answer.report is not None
    return answer.report


def _fault(trouble: Trouble, job: InspectJob, where: str) -> TutorError:
    file = where if job.kernel is None else where.rpartition(":")[0]
    message, names = trouble.message, trouble.names
    if trouble.reason == "raised":
        hint = f"mend it, or give the launch: {_by_hand(where, trouble.parameters)}"
        return FileFault(f"{message}\n\n{trouble.traceback}\n", hint=hint)
    if trouble.reason == "unknown kernel":
        command = f"triton-path inspect {file}:{names[0]}   (kernels: {', '.join(names)})"
        return unknown_name("kernel", message, names, command)
    if trouble.reason == "which kernel":
        return UsageFault(message, hint=f"triton-path inspect {file}:{names[0]}")
    if trouble.reason == "not launched":
        name = job.kernel or names[0]
        return UsageFault(message, hint=_by_hand(f"{file}:{name}", trouble.parameters))
    if trouble.reason == "arguments" and job.arguments:
        return UsageFault(message, hint=_by_hand(where, trouble.parameters))
    if trouble.reason == "arguments":
        constexprs = ", ".join(p[:-1] for p in trouble.parameters if p.endswith("*"))
        return UsageFault(message, hint=f"{HELP}   (constexprs: {constexprs or 'none'})")
    return UsageFault(message, hint=EXAMPLE)


def _by_hand(where: str, parameters: Sequence[str]) -> str:
    """Return the command that gives the launch by options; parameters of constexprs end in `*`."""
    parts = []
    for name in parameters or ("x_ptr", "n", "BLOCK*"):
        if name.endswith("*"):
            parts.append(f"--set {name[:-1]}=128")
        elif "ptr" in name.lower() or name in tuple("abcoxyz"):
            # Quoted: some shells take brackets for a pattern of file names.
            parts.append(f"--arg '{name}=fp32[1024]'")
        else:
            parts.append(f"--arg {name}=1024")
    return f"triton-path inspect {where} {' '.join(parts)}"
