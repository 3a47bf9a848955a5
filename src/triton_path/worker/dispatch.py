"""Which function does which job."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import Field, TypeAdapter

from triton_path.jobs.bench import BenchJob, VerifyJob
from triton_path.jobs.bench_file import FileJob, FileVerifyJob
from triton_path.jobs.demo import DemoJob
from triton_path.jobs.doctor import ProbeJob
from triton_path.jobs.inspect import InspectJob
from triton_path.jobs.lies import LiesJob
from triton_path.jobs.practice import CheckJob, CompileJob, SeedsJob
from triton_path.jobs.trace import TraceJob
from triton_path.worker.demo import run_demo

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.messages import Message

AnyJob = (
    DemoJob
    | BenchJob
    | VerifyJob
    | FileJob
    | FileVerifyJob
    | LiesJob
    | ProbeJob
    | InspectJob
    | TraceJob
    | CheckJob
    | SeedsJob
    | CompileJob
)
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
    from triton_path.worker.packages import require_packages

    require_packages()
    return _with_kernels(job, send), 0


def _with_kernels(
    job: BenchJob
    | VerifyJob
    | FileJob
    | FileVerifyJob
    | LiesJob
    | InspectJob
    | TraceJob
    | CheckJob
    | SeedsJob
    | CompileJob,
    send: Callable[[Message], None],
) -> Message:
    """Do a job that imports torch and Triton, which were found to be there."""
    if isinstance(job, InspectJob):
        from triton_path.worker.compiler.run import inspect_kernel

        return inspect_kernel(job, send)
    if isinstance(job, TraceJob):
        from triton_path.worker.trace.run import trace

        return trace(job, send)
    if isinstance(job, CheckJob):
        from triton_path.worker.practice.check import check

        return check(job, send)
    if isinstance(job, SeedsJob):
        from triton_path.worker.practice.seeds import passed_with

        return passed_with(job)
    if isinstance(job, CompileJob):
        from triton_path.worker.practice.compiling import compile_launches

        return compile_launches(job, send)
    if isinstance(job, VerifyJob):
        from triton_path.worker.bench.verify import verify

        return verify(job, send)
    if isinstance(job, FileJob):
        from triton_path.worker.bench.own.run import bench_file

        return bench_file(job, send)
    if isinstance(job, FileVerifyJob):
        from triton_path.worker.bench.own.run import verify_file

        return verify_file(job, send)
    if isinstance(job, LiesJob):
        from triton_path.worker.bench.lies.run import tell

        return tell(job, send)
    from triton_path.worker.bench.run import bench

    return bench(job, send)
