"""A measurement is added to a report where a GPU is, and never fails it."""

from __future__ import annotations

import pytest

from triton_path.errors import MissingFault
from triton_path.jobs.inspect import (
    Build,
    Compiled,
    Facts,
    InspectAnswer,
    InspectJob,
    InspectReport,
    Launch,
    Measured,
)
from triton_path.sandbox import BugFault, WorkerFault
from triton_path.tutor import inspect_measure

BUILD = Build(label="sm_80", target="sm_80")
JOB = InspectJob(path="/add.py", kernel=None, builds=(BUILD,), show="ptx")
FACTS = Facts(
    instructions=1, kinds={}, registers=8, spill_stores=0, spill_loads=0, shared_bytes=0,
    shared_limit=1, shared_source="", accesses=(), tensor_cores=(), dots=0, async_copies=0,
    bulk_copies=0, buffers=(), barriers=0, occupancy=None, lines=(),
)  # fmt: skip
REPORT = InspectReport(
    triton="3.7.1",
    file="/add.py",
    kernel="add",
    defined=None,
    launch=Launch(number=1, of=1, grid=(1,), arguments=(), found="by running the file"),
    builds=(Compiled(build=BUILD, facts=FACTS),),
)
MEASURED = Measured(
    device="NVIDIA H200", target="sm_90", driver="580", torch="2.11", triton="3.6",
    date="2026-12-01", clocks=(), builds=(),
)  # fmt: skip


@pytest.fixture
def gpu(monkeypatch: pytest.MonkeyPatch) -> list[InspectJob]:
    """A device file is here; the jobs that are asked for are kept and answered with MEASURED."""
    jobs: list[InspectJob] = []

    def answer(job: InspectJob, *_: object, **__: object) -> InspectAnswer:
        jobs.append(job)
        return InspectAnswer(measured=MEASURED)

    monkeypatch.setattr(inspect_measure, "gpu_device_here", lambda: True)
    monkeypatch.setattr(inspect_measure, "run_job", answer)
    return jobs


def measured(report: InspectReport = REPORT) -> InspectReport:
    return inspect_measure.with_measurement(report, JOB, lambda _: None)


def test_without_a_gpu_nothing_is_run(
    gpu: list[InspectJob], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(inspect_measure, "gpu_device_here", lambda: False)
    assert measured() == REPORT
    assert '"measured":null' in REPORT.model_dump_json()
    assert gpu == []


def test_the_kernel_is_named_and_nothing_else_of_the_report_changes(gpu: list[InspectJob]) -> None:
    assert measured() == REPORT.model_copy(update={"measured": MEASURED})
    (job,) = gpu
    assert (job.kernel, job.measure, job.show) == ("add", True, None)


def test_a_kernel_that_the_compiler_rejects_is_not_launched(gpu: list[InspectJob]) -> None:
    rejected = REPORT.model_copy(update={"builds": (Compiled(build=BUILD),)})
    assert measured(rejected) == rejected
    assert gpu == []


@pytest.mark.parametrize(
    ("fault", "said"),
    [
        (WorkerFault("The worker process was ended by SIGSEGV.\nlast words"),
         "The worker process was ended by SIGSEGV."),
        (MissingFault("torch is not installed."), "torch is not installed."),
        (BugFault("KeyError: 3\na traceback"), "a bug in triton-path: KeyError: 3"),
    ],
)  # fmt: skip
@pytest.mark.usefixtures("gpu")
def test_whatever_goes_wrong_is_one_line(
    monkeypatch: pytest.MonkeyPatch, fault: Exception, said: str
) -> None:
    def fail(*_: object, **__: object) -> None:
        raise fault

    monkeypatch.setattr(inspect_measure, "run_job", fail)
    assert measured() == REPORT.model_copy(update={"unmeasured": said})
