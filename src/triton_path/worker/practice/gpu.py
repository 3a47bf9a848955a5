"""The part of a check that needs a GPU: the cases compiled and run, the large one timed.

It runs in a worker without TRITON_INTERPRET, in a process that was forked before CUDA was used.
Import it before the learner's file, so that the timers are those of torch.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.worker.practice.gpu_cases import agreement, run_cases
from triton_path.worker.practice.gpu_machine import this_machine, use_gpu, why_unusable
from triton_path.worker.practice.gpu_timing import Timed, time_large
from triton_path.worker.practice.learner import CannotImport, load, module_from

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.practice import CompileJob, Finding, GpuResult
    from triton_path.worker.practice.gpu_machine import Machine
    from triton_path.worker.practice.learner import Learner


def _say_nothing(_text: str) -> None:
    """Stand for someone who wants to know how far it is."""


def measure(
    job: CompileJob, learner: Learner, say: Callable[[str], None] = _say_nothing
) -> tuple[Finding | None, GpuResult | None]:
    """Run and time a file on the GPU; (None, None) where there is none that Triton can use.

    `say` is told what is done now. Raises CannotImport or ReferenceBroken where reference.py is at
    fault.
    """
    machine = this_machine()
    if machine is None:
        return None, None
    use_gpu(machine.device)
    return measure_on(machine, job, learner, say)


def measure_on(
    machine: Machine,
    job: CompileJob,
    learner: Learner,
    say: Callable[[str], None] = _say_nothing,
) -> tuple[Finding | None, GpuResult]:
    """Run and time a file on `machine`."""
    say(f"running on {machine.name}")
    reason = why_unusable(machine)
    if reason is not None:
        return None, machine.result(cases=0, untimed=reason)
    path = Path(job.reference)
    reference = module_from(path, path.read_text(encoding="utf-8"))
    try:
        # Once more: an autotuner that chose without a GPU remembers it, a kernel its target.
        learner = load(learner.path, job.grading)
    except CannotImport as fault:
        return fault.finding, machine.result(cases=0, untimed="The file cannot be imported.")
    cases = run_cases(job, learner, reference, machine)
    count = len(cases.ran)
    if cases.finding is not None:
        return cases.finding, machine.result(cases=count, untimed="A case failed on the GPU.")
    if cases.memory_full:
        full = f"The memory of {machine.name} is taken: free some, then check again."
        return None, machine.result(cases=count, untimed=full)
    time = Timed(untimed="Timing was not asked for.")
    if job.time_it:
        say(f"timing on {machine.name}")
        time = time_large(job, learner, reference, machine)
    result = machine.result(
        cases=count,
        # After a fault of the timed case as well: these cases ran, and their results are here.
        agreement=agreement(cases, job.grading, job.kept),
        untimed=time.untimed if time.finding is None else "The timed case failed.",
        label=time.label,
        limit=f"{time.limit.words}, measured in the same run" if time.limit else "",
        limit_time=time.limit.time if time.limit else None,
        providers=time.providers,
    )
    return time.finding, result
