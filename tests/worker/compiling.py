"""Asks a worker that compiles, one worker for all tests of a session: it imports torch once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.inspect import Build, InspectAnswer, InspectJob
from triton_path.jobs.messages import Result
from triton_path.sandbox import Answered, Worker

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

HEAD = "import numpy as np\nimport torch\nimport triton\nimport triton.language as tl\n"
TIME_LIMIT_S = 90


def ask(worker: Worker, job: InspectJob) -> InspectAnswer:
    running = worker.submit(job, time_limit_s=TIME_LIMIT_S)
    answers = [event for event in _events(running) if isinstance(event, Answered)]
    assert isinstance(answers[-1].message, Result), answers[-1].message
    return InspectAnswer.model_validate(answers[-1].message.value)


def _events(running) -> Iterator[object]:
    while not running.ended:
        yield from running.events(1.0)


def job(path: Path, kernel: str | None = None, target: str = "sm_80", **fields) -> InspectJob:
    """Return a job with one build, or with `builds`."""
    builds = fields.pop("builds", (Build(label=target, target=target),))
    return InspectJob(path=str(path), kernel=kernel, builds=builds, **fields)
