"""Calls a learner's function on one case of its exercise: what `trace` and `inspect` run."""

from __future__ import annotations

from pathlib import Path

from triton_path.jobs.practice import CheckJob
from triton_path.worker.practice import cases, data, learner


def run(job: str, number: int) -> None:
    """Call the function of a CheckJob (JSON) on case `number`, from 1, with that check's values.

    Raises CannotImport where the file gives no function to call.
    """
    check = CheckJob.model_validate_json(job)
    planned = cases.planned(check.grading, check.seed)[number - 1]
    inputs = data.make(check.grading, planned, check.seed)
    entry = learner.load(Path(check.path), check.grading).entry
    entry(*inputs.tensors.values(), **inputs.scalars)
