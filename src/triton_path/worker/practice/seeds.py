"""The job `seeds`: whether a wrong file fails with whatever data is drawn.

Of each seed only the first failing case is wanted: with it the whole check fails.
"""

from __future__ import annotations

import sys
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_path.jobs.practice import SeedsAnswer
from triton_path.worker.practice.cases import planned
from triton_path.worker.practice.check import LAUNCH_SECONDS, reference_module
from triton_path.worker.practice.findings import of_case
from triton_path.worker.practice.learner import CannotImport, load
from triton_path.worker.practice.running import run
from triton_path.worker.watch.selftest import reason_not_to_watch

if TYPE_CHECKING:
    from triton_path.jobs.practice import SeedsJob


def passed_with(job: SeedsJob) -> SeedsAnswer:
    """Return the seeds with which the file passes all cases in the interpreter.

    A run without repetitions finds most faults in a third of the time, and nothing that a whole
    run would not find. Where the last seed needed the repetitions, the next one begins with them.
    """
    reference = reference_module(Path(job.reference))
    sys.path.insert(0, str(Path(job.path).parent))
    passed = []
    quick = True
    for seed in job.seeds:
        if quick and _fails(job, seed, reference, thorough=False):
            continue
        quick = False
        if not _fails(job, seed, reference, thorough=True):
            passed.append(seed)
    return SeedsAnswer(passed=tuple(passed))


def _fails(job: SeedsJob, seed: int, reference: Any, *, thorough: bool) -> bool:
    """Run the cases of a check in their order, on the file imported anew, up to one that fails."""
    try:
        learner = load(Path(job.path), job.grading)
    except CannotImport:
        return True
    unwatched = bool(reason_not_to_watch())
    for case in planned(job.grading, seed):
        if unwatched and case.case.memoryless:
            continue
        outcome = run(
            learner,
            job.grading,
            case,
            reference,
            seed=seed,
            seconds=LAUNCH_SECONDS,
            thorough=thorough,
        )
        if of_case(outcome, job.grading, {}):
            return True
    return False
