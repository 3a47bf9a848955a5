"""Asks a worker that compiles, one worker for all tests of a session: it imports torch once."""

from __future__ import annotations

from typing import TYPE_CHECKING

from tests.samples import sample
from triton_path.jobs.inspect import Build, InspectAnswer, InspectJob, InspectReport, Trouble
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


ADD, SOFTMAX = sample("add_two"), sample("softmax")


def report(
    worker: Worker, path: Path, text: str, kernel=None, target="sm_80", **fields
) -> InspectReport:
    path.write_text(HEAD + text)
    answer = ask(worker, job(path, kernel, target, **fields))
    assert answer.report is not None, answer.trouble
    return answer.report


def trouble(worker: Worker, path: Path, text: str, kernel=None, **fields) -> Trouble:
    path.write_text(HEAD + text)
    answer = ask(worker, job(path, kernel, **fields))
    assert answer.trouble is not None
    return answer.trouble


def line_of(path: Path, text: str) -> int:
    return next(n for n, line in enumerate(path.read_text().splitlines(), 1) if text in line)


def specialised(found: InspectReport) -> dict[str, str]:
    return {argument.name: argument.specialised for argument in found.launch.arguments}


def accesses(found: InspectReport, build: int = 0) -> list[tuple[str, int, int]]:
    facts = found.builds[build].facts
    assert facts is not None
    return [(a.operation, a.bits, a.count) for a in facts.accesses]
