"""A bench from what was asked for to a whole report."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.bench import (
    FUSED,
    BenchJob,
    BenchReport,
    Figure,
    Target,
    Verification,
    VerifyJob,
)
from triton_path.jobs.benches import BENCHES
from triton_path.sandbox import run_job
from triton_path.tutor.bench_commit import own_commit
from triton_path.tutor.bench_verdict import PYTORCH, verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triton_path.course.gpus import Gpu, GpuTable
    from triton_path.jobs.bench import ProviderReport, ShapeReport, Verified
    from triton_path.jobs.messages import Progress
    from triton_path.tutor.bench_options import Request

DEFAULT_TARGET = "h200"
SECONDS_A_SHAPE = 300.0
VERIFY_SECONDS = 300.0


def run_bench(
    request: Request, table: GpuTable, on_progress: Callable[[Progress], None]
) -> BenchReport:
    """Run the jobs that this machine allows and put their answers together.

    Raises MissingFault where torch, Triton or a compiler is missing.
    """
    shapes = request.shapes or (BENCHES[request.bench].default,)
    report = run_job(
        BenchJob(
            bench=request.bench, case=request.case, shapes=shapes, providers=request.providers
        ),
        BenchReport,
        interpret=False,
        time_limit_s=SECONDS_A_SHAPE * len(shapes),
        on_progress=on_progress,
    )
    if report.device.kind == "cpu":
        verification = run_job(
            VerifyJob(bench=request.bench, case=request.case),
            Verification,
            interpret=True,
            time_limit_s=VERIFY_SECONDS,
            on_progress=on_progress,
        )
        report = with_verification(report, verification)
    return finished(report, request.target, table)


def finished(report: BenchReport, target: Gpu | None, table: GpuTable) -> BenchReport:
    """Add predictions, where they are asked for or no GPU is here, the commit and the verdict."""
    if target is None and report.device.kind == "cpu":
        target = table.find(DEFAULT_TARGET)
    if target is not None:
        report = with_predictions(report, target, table)
    return report.model_copy(update={"verdict": verdict(report), "commit": own_commit()})


def with_verification(report: BenchReport, verification: Verification) -> BenchReport:
    """Add what the interpreter found; a case that failed is a fault of the run."""
    faults = [
        f"{_who(case)}{case.shape} {case.dtype} in the interpreter: {fault}"
        for case in verification.cases
        for fault in case.check.faults
    ]
    if not verification.cases and has_kernel(report):
        faults.append("The interpreter verified nothing.")
    added = {"verification": verification, "faults": (*report.faults, *faults)}
    return report.model_copy(update=added)


def _who(case: Verified) -> str:
    return "" if case.name == FUSED else f"{case.name}: "


def has_kernel(report: BenchReport) -> bool:
    """Tell whether there is anything to verify: a provider that is no PyTorch."""
    return any(p.name not in PYTORCH for p in report.providers)


def predicted_us(moved: float, gb_s: float) -> Figure:
    """Return the least time for `moved` bytes at `gb_s` (1e9 bytes a second), microseconds."""
    return Figure(value=moved / gb_s / 1e3, unit="us", kind="predicted")


def with_predictions(report: BenchReport, gpu: Gpu, table: GpuTable) -> BenchReport:
    """Add the least time of each provider on `gpu`: its bytes over the datasheet's bandwidth."""
    spec = gpu.bandwidth_gb_s
    on_this_gpu = report.device.kind == "gpu"
    if on_this_gpu and report.device.name == gpu.name:
        return report  # its times were measured
    predicted = []
    for provider in report.providers:
        if provider.bytes is None or provider.device == "cpu":
            continue
        update: dict[str, object] = {
            "device": gpu.name,
            "time": predicted_us(provider.bytes.value, spec.value),
        }
        if on_this_gpu:
            # What was measured here says nothing of the other GPU.
            launches = provider.launches.model_copy(update={"kind": "predicted"})
            update |= {"launches": launches, **dict.fromkeys(MEASURED_FIELDS), "speedup": {}}
        predicted.append(provider.model_copy(update=update))
    target = Target(
        id=gpu.id,
        name=gpu.name,
        bandwidth=Figure(value=spec.value, unit="GB/s", kind="predicted"),
        source=table.sources[spec.source].title,
    )
    kept = _kept(report.providers, on_this_gpu=on_this_gpu)
    shapes = report.shapes
    if not on_this_gpu:
        shapes = tuple(_with_ledger_times(shape, spec.value) for shape in shapes)
    added = {"target": target, "providers": (*predicted, *kept), "shapes": shapes}
    return report.model_copy(update=added)


def _with_ledger_times(shape: ShapeReport, gb_s: float) -> ShapeReport:
    """Add to each row of the ledger what its bytes take at least."""
    if shape.ledger is None:
        return shape
    rows = tuple(
        row.model_copy(update={"time": predicted_us((row.read or 0) + (row.written or 0), gb_s)})
        for row in shape.ledger.rows
    )
    return shape.model_copy(update={"ledger": shape.ledger.model_copy(update={"rows": rows})})


MEASURED_FIELDS = (
    "floor",
    "graph_time",
    "kernel_time",
    "host_time",
    "bound",
    "explained",
    "bandwidth",
    "of_copy",
    "check",
    "compile_time",
    "refused",
)


def _kept(providers: Sequence[ProviderReport], *, on_this_gpu: bool) -> list[ProviderReport]:
    """Return what stands beside the predictions: without a GPU, what the CPU measured."""
    return [p for p in providers if on_this_gpu or p.device == "cpu"]
