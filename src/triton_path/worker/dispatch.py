"""Which function does which job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, TypeAdapter

from triton_path.jobs.bench import BenchJob, VerifyJob
from triton_path.jobs.demo import DemoJob
from triton_path.jobs.doctor import ProbeJob
from triton_path.jobs.inspect import InspectJob
from triton_path.worker.demo import run_demo

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.messages import Message

AnyJob = DemoJob | BenchJob | VerifyJob | ProbeJob | InspectJob
JOB: TypeAdapter[AnyJob] = TypeAdapter(Annotated[AnyJob, Field(discriminator="kind")])


def perform(payload: bytes, send: Callable[[Message], None]) -> tuple[Message, int]:
    """Do the job whose JSON is `payload`; return its result and the exit code of the process.

    `send` takes `Progress` messages on the way. Raises MissingHere where the machine lacks
    something the job needs.
    """
    job = JOB.validate_json(payload)
    if isinstance(job, DemoJob):
        end = run_demo(job)
        return end, end.exit_code
    if isinstance(job, ProbeJob):
        from triton_path.worker.doctor.run import probe

        return probe(job), 0
    if isinstance(job, InspectJob):
        return _inspect(job, send), 0
    return _measure(job, send), 0


def _measure(job: BenchJob | VerifyJob, send: Callable[[Message], None]) -> Message:
    from triton_path.worker.bench.needs import require_packages

    require_packages()
    # Only now: these import torch and triton, which this machine might not have.
    if isinstance(job, VerifyJob):
        from triton_path.worker.bench.verify import verify

        return verify(job, send)
    from triton_path.worker.bench.run import bench

    return bench(job, send)


def _inspect(job: InspectJob, send: Callable[[Message], None]) -> Message:
    from triton_path.worker.compiler.needs import require_compiler

    require_compiler()
    # Only now: it imports torch and triton, which this machine might not have.
    from triton_path.worker.compiler.run import inspect_kernel

    return inspect_kernel(job, send)
