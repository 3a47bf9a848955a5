"""Bars of one size: the time of each provider, and the ledger of eager."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.bench import EAGER
from triton_path.render.bench_tables import microseconds, quantity
from triton_path.tutor.bench_verdict import on_device

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triton_path.jobs.bench import BenchReport, ProviderReport

PLAIN, OTHERS = "0.55", "0.8"
MOST_ROWS = 24


def device_of(report: BenchReport) -> str:
    """Return the device whose times are drawn."""
    if report.device.kind == "gpu":
        return report.device.name
    return report.target.name if report.target else "gpu"


def draw_times(axes: Axes, report: BenchReport) -> None:
    """Draw the time of each provider as a bar, the floor as a line across."""
    shape = report.shapes[0]
    every = [p for p in on_device(report, device_of(report)) if p.time is not None]
    gpu = report.device.kind == "gpu"
    kind = "measured" if gpu else "predicted, at least"
    axes.set_title(f"time at {shape.rows} x {shape.width}, us, {kind}")
    values = [provider.time.value for provider in every if provider.time is not None]
    colours = [PLAIN if provider.name == EAGER else OTHERS for provider in every]
    hatches = [None if gpu else "//" for _ in every]
    bars = axes.barh(range(len(every)), values, color=colours, edgecolor="black", hatch=hatches)
    axes.set_yticks(range(len(every)), [provider.name for provider in every])
    axes.invert_yaxis()
    axes.bar_label(bars, labels=[_label(provider) for provider in every], padding=4, fontsize=8)
    axes.margins(x=0.3)
    if gpu and report.device.large_copy is not None:
        floor = shape.least.value / report.device.large_copy.value / 1e3
        axes.axvline(floor, color="black", linestyle="--", linewidth=1.2)
        words = f"floor: {microseconds(floor)} us for {quantity(shape.least.value)}"
        axes.text(
            floor, 1.0, f" {words}", transform=axes.get_xaxis_transform(), fontsize=8, va="top"
        )


def _label(provider: ProviderReport) -> str:
    assert provider.time is not None
    ratio = provider.speedup.get(EAGER)
    gain = "" if ratio is None else f"   {ratio.value:.1f}x"
    kernels = f"{provider.launches.value:.0f} kernel{'s' * (provider.launches.value != 1)}"
    return f"{microseconds(provider.time.value)}   {kernels}{gain}"


def draw_ledger(axes: Axes, report: BenchReport) -> None:
    """Draw the share of each operation of eager: of its time, or of its bytes."""
    ledger = report.shapes[0].ledger
    if ledger is None or not ledger.rows:
        axes.axis("off")
        axes.text(0.5, 0.5, "no ledger", ha="center")
        return
    rows = ledger.rows[:MOST_ROWS]
    of = "time of eager, measured" if ledger.measured else "bytes of eager, counted"
    axes.set_title(f"ledger: share of the {of}, %")
    hatches = ["xx" if row.op_kind in ("matrix product", "other") else None for row in rows]
    values = [100 * row.share for row in rows]
    bars = axes.barh(range(len(rows)), values, color=OTHERS, edgecolor="black", hatch=hatches)
    axes.set_yticks(range(len(rows)), [f"{n}  {row.op}" for n, row in enumerate(rows, start=1)])
    axes.invert_yaxis()
    labels = [
        f"{quantity((row.read or 0) + (row.written or 0))}"
        + (f", {microseconds(row.time.value)} us" if row.time is not None else "")
        for row in rows
    ]
    axes.bar_label(bars, labels=labels, padding=4, fontsize=8)
    axes.margins(x=0.25)
    left_out = len(ledger.rows) - len(rows)
    notes = [f"{left_out} more operations"] * bool(left_out)
    notes += ["crossed: stands alone, cannot be fused"] * any(hatches)
    axes.set_xlabel("; ".join(notes))
