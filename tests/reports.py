"""Reports of benches for tests: one real run on an H200, and what a machine without a GPU gives."""

from __future__ import annotations

from pathlib import Path

from triton_path.jobs.bench import (
    BenchReport,
    Case,
    Check,
    Device,
    Figure,
    ProviderReport,
    RandomNumbers,
    Shape,
    ShapeReport,
    Timing,
    Verification,
    Verified,
)
from triton_path.jobs.ledger import Ledger, LedgerRow, Part

H200 = Path(__file__).parent / "data" / "h200.json"
GOOD = Check(
    errors={"h": 1e-3, "out": 2e-3}, allowed={"h": 1e-2, "out": 1e-2}, keep_rate=0.9, faults=()
)
BAD = GOOD.model_copy(update={"faults": ("out is off by 3.0e-01; 1.0e-02 is allowed.",)})


def row(op: str, moved: int, share: float, cumulative: float, **more: object) -> LedgerRow:
    about = {"op_kind": "elementwise", "part": 0, **more}
    return LedgerRow(
        op=op, read=moved // 2, written=moved // 2, share=share, cumulative=cumulative, **about
    )


LEDGER = Ledger(
    rows=(
        row("native_dropout", 400, 0.4, 0.4),
        row("mean", 600, 0.6, 1.0, op_kind="reduction"),
    ),
    parts=(Part(first=0, ops=2, fusable=True, why="", bytes_now=1000, bytes_fused=300),),
    measured=False,
)


def on_h200() -> BenchReport:
    """Return a report that the command printed on an H200."""
    return BenchReport.model_validate_json(H200.read_text(encoding="utf-8"))


def figure(value: float, unit: str, kind: str) -> Figure:
    return Figure(value=value, unit=unit, kind=kind)


def counted(name: str, launches: int, moved: float) -> ProviderReport:
    return ProviderReport(
        name=name,
        device="gpu",
        rows=16384,
        width=4096,
        launches=figure(launches, "kernels", "counted"),
        kernels=("an_op",) * launches,
        bytes=figure(moved, "B", "counted"),
    )


def timed(name: str, launches: int, us: float, **more: object) -> ProviderReport:
    timing = Timing(value=us, unit="us", kind="measured", p20=us * 0.9, p80=us * 1.1, n=30)
    return ProviderReport(
        name=name,
        device="cpu",
        rows=1024,
        width=4096,
        launches=figure(launches, "operations", "counted"),
        kernels=(),
        bytes=None,
        time=timing,
        check=GOOD,
        **more,
    )


def without_gpu() -> BenchReport:
    """Return what the worker answers on a machine without a GPU, before the tutor adds to it."""
    faster = {"eager": figure(1.5, "x", "measured")}
    return BenchReport(
        bench="fused-transformer",
        date="2026-12-01T10:00:00+00:00",
        versions={"torch": "2.13.0", "triton": "3.7.1", "python": "3.11.7"},
        device=Device(kind="cpu", name="x86_64", threads=2),
        case=Case(),
        random=RandomNumbers(
            rounds=7,
            threshold_bits=32,
            elements_per_call=4,
            seed="drawn on the host",
            seed_time=figure(4, "us", "measured"),
        ),
        shapes=(
            ShapeReport(
                rows=16384,
                width=4096,
                device="gpu",
                traffic_ratio=figure(5.6257, "x", "counted"),
                least=figure(536879104, "B", "counted"),
                ledger=LEDGER,
                cpu_rows=1024,
            ),
        ),
        providers=(
            counted("eager", 10, 3.0203e9),
            counted("best eager", 3, 1.0067e9),
            counted("Triton fused", 1, 5.3688e8),
            timed("eager", 12, 30e3),
            timed("torch.compile", 4, 20e3, speedup=faster),
        ),
    )


def verification(check: Check = GOOD) -> Verification:
    case = Verified(shape=Shape(rows=5, width=100), dtype="float32", strided=False, check=check)
    return Verification(cases=(case,))
