"""Which function does which job."""

from __future__ import annotations

from typing import TYPE_CHECKING

from pydantic import TypeAdapter

from triton_path.jobs.demo import DemoJob
from triton_path.worker.demo import run_demo

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.messages import Message

JOB: TypeAdapter[DemoJob] = TypeAdapter(DemoJob)


def perform(payload: bytes, send: Callable[[Message], None]) -> tuple[Message, int]:
    """Do the job whose JSON is `payload`; return its result and the exit code of the process.

    `send` takes `Progress` messages on the way. Raises MissingHere where the machine lacks
    something the job needs.
    """
    job = JOB.validate_json(payload)
    end = run_demo(job)
    return end, end.exit_code
