"""The bench of a person's own chain: from a file's name to a whole report, and a starter."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.errors import ExitCode, TutorError, UsageFault
from triton_path.jobs.bench import OnGpu
from triton_path.jobs.bench_file import FileAnswer, FileJob, FileVerifyJob
from triton_path.sandbox import run_job
from triton_path.tutor.bench import finished, predicted_us, with_verification
from triton_path.tutor.bench_starter import STARTER
from triton_path.tutor.trace_options import parse_where, shown_path

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.course.gpus import Gpu, GpuTable
    from triton_path.jobs.bench import BenchReport
    from triton_path.jobs.bench_file import FileTrouble
    from triton_path.jobs.messages import Progress

SECONDS = 600.0
NEW = "triton-path bench new chain.py"


class ChainFault(TutorError):
    """The person's file raised, or does not hold what a bench needs."""

    exit_code = ExitCode.WRONG


def is_file(word: str) -> bool:
    """Tell whether a word of the command line means a file, and no bench."""
    return word.endswith(".py") or "/" in word or Path(word).is_file()


def run_file(
    word: str, target: Gpu | None, table: GpuTable, on_progress: Callable[[Progress], None]
) -> BenchReport:
    """Bench the chain of a file.

    Raises UsageFault or ChainFault for what the person has to mend, WorkerFault where it crashed.
    """
    try:
        path, function = parse_where(word)
    except UsageFault as fault:
        raise UsageFault(fault.message, hint=NEW) from None
    if function is not None:
        raise UsageFault("A bench takes the whole file.", hint=f"triton-path bench {path.name}")
    answer = _ask(FileJob(path=str(path)), path, on_progress, interpret=False)
    report = answer.report
    assert report is not None
    if report.device.kind == "cpu" and answer.candidates:
        verified = _ask(FileVerifyJob(path=str(path)), path, on_progress, interpret=True)
        notes = (*report.notes, *verified.notes)
        report = report.model_copy(update={"notes": notes})
        if verified.verification is not None:
            report = with_verification(report, verified.verification)
    return finished(_on_every_gpu(report, table), target, table)


def _ask(
    job: FileJob | FileVerifyJob,
    path: Path,
    on_progress: Callable[[Progress], None],
    *,
    interpret: bool,
) -> FileAnswer:
    answer = run_job(
        job, FileAnswer, interpret=interpret, time_limit_s=SECONDS, on_progress=on_progress
    )
    if answer.trouble is not None:
        raise _fault(answer.trouble, path)
    return answer


def _fault(trouble: FileTrouble, path: Path) -> ChainFault:
    message = trouble.message
    if trouble.detail:
        message += f"\n\n{trouble.detail}\n"
    again = f"triton-path bench {shown_path(path)}"
    hint = f"{trouble.mend}; then {again}" if trouble.mend else f"mend it, then {again}"
    return ChainFault(message, hint=hint)


def _on_every_gpu(report: BenchReport, table: GpuTable) -> BenchReport:
    """Add what the chain takes at least on each GPU, as it is and fused."""
    ledger = report.shapes[0].ledger
    if ledger is None:
        return report
    added = tuple(
        OnGpu(
            id=gpu.id,
            name=gpu.name,
            eager=predicted_us(ledger.bytes_now, gpu.bandwidth_gb_s.value),
            fused=predicted_us(ledger.bytes_fused, gpu.bandwidth_gb_s.value),
        )
        for gpu in table.gpus
    )
    return report.model_copy(update={"on_gpus": added})


def write_starter(word: str) -> Path:
    """Write a chain that runs at once. Raises UsageFault where a file is there already."""
    path = Path(word)
    if path.suffix != ".py":
        raise UsageFault(f"'{word}' is no name of a Python file.", hint=NEW)
    if path.exists():
        raise UsageFault(
            f"'{word}' is there already, and is not overwritten.",
            hint=f"triton-path bench {word}",
        )
    try:
        with path.open("x", encoding="utf-8") as file:
            file.write(STARTER)
    except OSError as fault:
        raise UsageFault(f"'{word}' cannot be written: {fault.strerror}.", hint=NEW) from None
    return path
