"""A bench from the words of a command line to a whole report."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import TYPE_CHECKING, get_args

from triton_path.errors import UsageFault, unknown_name
from triton_path.jobs.bench import (
    MAX_WIDTH,
    BenchJob,
    BenchReport,
    Case,
    DType,
    Figure,
    Shape,
    Target,
    Verification,
    VerifyJob,
)
from triton_path.sandbox import run_job
from triton_path.tutor.bench_verdict import verdict

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triton_path.course.gpus import Gpu, GpuTable
    from triton_path.jobs.bench import ProviderReport
    from triton_path.jobs.messages import Progress

BENCHES = {
    "fused-transformer": "dropout, residual and RMSNorm between two T5 sublayers: "
    "ten eager kernels against one",
}
DEFAULT_SHAPE = Shape(rows=16384, width=4096)
DEFAULT_TARGET = "h200"
SHORT_DTYPES: dict[str, DType] = {"bf16": "bfloat16", "fp16": "float16", "fp32": "float32"}
MOST_ROWS = 2**31 - 1
"""Programs that one launch can have."""
LEAST_ROUNDS, MOST_ROUNDS = 7, 16
SECONDS_A_SHAPE = 300.0
VERIFY_SECONDS = 300.0
EXAMPLE = "triton-path bench fused-transformer --shape 16384x4096"
HELP = "triton-path bench --help"


@dataclass(frozen=True)
class Request:
    """What was asked for, checked."""

    case: Case
    shapes: tuple[Shape, ...]
    target: Gpu | None
    """GPU to predict for; None where the machine's own GPU would do."""


def check_name(name: str) -> None:
    """Raise UsageFault unless `name` is a bench."""
    if name not in BENCHES:
        raise unknown_name("bench", name, BENCHES, "triton-path bench list")


def parse_shape(text: str) -> Shape:
    """Read ROWSxWIDTH. Raises UsageFault."""
    match = re.fullmatch(r"\s*(\d{1,12})\s*[xX×*,]\s*(\d{1,12})\s*", text)
    if match is None or "0" in (match[1].lstrip("0") or "0", match[2].lstrip("0") or "0"):
        raise UsageFault(f"'{text}' is not a shape; write ROWSxWIDTH.", hint=EXAMPLE)
    shape = Shape(rows=int(match[1]), width=int(match[2]))
    if shape.width > MAX_WIDTH or shape.rows > MOST_ROWS:
        raise UsageFault(
            f"{shape} is too large: at most {MAX_WIDTH} columns (a program holds a whole row "
            f"in registers) and {MOST_ROWS} rows.",
            hint=EXAMPLE,
        )
    return shape


def parse_dtype(text: str) -> DType:
    """Read a dtype by its name in torch or its short name. Raises UsageFault."""
    names: dict[str, DType] = {name: name for name in get_args(DType)} | SHORT_DTYPES
    found = names.get(text.strip().lower().removeprefix("torch."))
    if found is None:
        raise unknown_name("dtype", text, names, HELP)
    return found


def parse_dropout(text: str) -> float:
    """Read a probability, 0 <= P < 1. Raises UsageFault."""
    try:
        p = float(text)
    except ValueError:
        p = -1.0
    if not 0 <= p < 1:
        raise UsageFault(
            f"'{text}' is no dropout probability; write a number from 0 up to, not including, 1.",
            hint="triton-path bench fused-transformer --dropout 0.1",
        )
    return p


def parse_rounds(text: str) -> int:
    """Read a number of Philox rounds. Raises UsageFault."""
    if not text.isdecimal() or not LEAST_ROUNDS <= int(text) <= MOST_ROUNDS:
        raise UsageFault(
            f"'{text}' is no number of Philox rounds from {LEAST_ROUNDS} (fewer fail statistical "
            f"tests) to {MOST_ROUNDS}.",
            hint="triton-path bench fused-transformer --rounds 10",
        )
    return int(text)


def run_bench(
    request: Request, table: GpuTable, on_progress: Callable[[Progress], None]
) -> BenchReport:
    """Run the jobs that this machine allows and put their answers together.

    Raises MissingFault where torch, Triton or a compiler is missing.
    """
    shapes = request.shapes or (DEFAULT_SHAPE,)
    report = run_job(
        BenchJob(case=request.case, shapes=shapes),
        BenchReport,
        interpret=False,
        time_limit_s=SECONDS_A_SHAPE * len(shapes),
        on_progress=on_progress,
    )
    target = request.target
    if report.device.kind == "cpu":
        target = target or table.find(DEFAULT_TARGET)
        verification = run_job(
            VerifyJob(dropout=request.case.dropout, rounds=request.case.rounds),
            Verification,
            interpret=True,
            time_limit_s=VERIFY_SECONDS,
            on_progress=on_progress,
        )
        report = with_verification(report, verification)
    if target is not None:
        report = with_predictions(report, target, table)
    return report.model_copy(update={"verdict": verdict(report)})


def with_verification(report: BenchReport, verification: Verification) -> BenchReport:
    """Add what the interpreter found; a case that failed is a fault of the run."""
    faults = [
        f"{case.shape} {case.dtype} in the interpreter: {fault}"
        for case in verification.cases
        for fault in case.check.faults
    ]
    if not verification.cases:
        faults.append("The interpreter verified nothing.")
    added = {"verification": verification, "faults": (*report.faults, *faults)}
    return report.model_copy(update=added)


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
    return report.model_copy(update={"target": target, "providers": (*predicted, *kept)})


MEASURED_FIELDS = (
    "floor",
    "graph_time",
    "bandwidth",
    "of_copy",
    "check",
    "compile_time",
    "refused",
)


def _kept(providers: Sequence[ProviderReport], *, on_this_gpu: bool) -> list[ProviderReport]:
    """Return what stands beside the predictions: without a GPU, what the CPU measured."""
    return [p for p in providers if on_this_gpu or p.device == "cpu"]
