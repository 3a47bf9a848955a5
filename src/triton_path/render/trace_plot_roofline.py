"""The roofline in a figure, with the launch's place under it."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.ticker import NullFormatter

from triton_path.render.trace_words import ABOUT, number_text

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.figure import SubFigure

    from triton_path.jobs.trace import Roofline, Target, TraceReport

LEFT = 0.25
"""The lowest FLOP a byte that is drawn."""


def draw_roofline(figure: SubFigure, report: TraceReport, number: int) -> None:
    """Draw what the target can do at each intensity, and where launch `number` lands."""
    axes = figure.subplots()
    roof, target = report.rooflines[number], report.target
    axes.set_title(f"roofline of {target.name}, predicted")
    points = [value for value in (roof.intensity, roof.intensity_once) if value is not None]
    peaks = {"fp32": target.fp32_tflops}
    if target.bf16_tflops is not None:
        peaks["bf16"] = target.bf16_tflops
    highest = max(peaks.values())
    right = 4 * max(highest * 1e3 / target.bandwidth_gb_s, *points, 1.0)
    left = min(LEFT, *(value / 2 for value in points)) if points else LEFT
    for name, peak in peaks.items():
        _draw_roof(axes, target, name, peak, left, right, taken=name == roof.rate)
    _draw_place(axes, roof, target, peaks[roof.rate], left)
    axes.set_xscale("log")
    axes.set_yscale("log")
    axes.set_xlim(left, right)
    axes.set_ylim(left * target.bandwidth_gb_s / 1e3 / 2, 3 * highest)
    axes.set_xlabel("FLOP of tl.dot for each byte asked for (other operations are not counted)")
    axes.set_ylabel("TFLOP/s")
    axes.grid(visible=True, which="major", color="0.9", linewidth=0.6)
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_formatter(lambda value, _: f"{value:g}")
        axis.set_minor_formatter(NullFormatter())
    figure.legend(fontsize=8, loc="outside lower left", frameon=False)


def _draw_roof(
    axes: Axes, target: Target, name: str, peak: float, left: float, right: float, *, taken: bool
) -> None:
    ridge = peak * 1e3 / target.bandwidth_gb_s
    axes.plot(
        [left, ridge, right],
        [left * target.bandwidth_gb_s / 1e3, peak, peak],
        color="black" if taken else "0.6",
        linestyle="-" if taken else "--",
        linewidth=1.6 if taken else 1.0,
        label=f"{name}: {peak:g} TFLOP/s from {number_text(ridge)} FLOP a byte on, "
        f"{target.bandwidth_gb_s:g} GB/s below",
    )


def _draw_place(axes: Axes, roof: Roofline, target: Target, peak: float, left: float) -> None:
    near = ABOUT if roof.extrapolated else ""
    places = []
    if roof.intensity is not None:
        places.append((roof.intensity, "o", "of the bytes asked for"))
    if roof.intensity_once is not None and roof.bytes_once != roof.bytes_asked:
        places.append((roof.intensity_once, "s", "if caches serve every repetition"))
    if not places:
        axes.axvspan(
            left, roof.lowest_ridge, color="#fdd0a2", alpha=0.5, linewidth=0,
            label=f"this launch: no tl.dot, somewhere below {number_text(roof.lowest_ridge)}",
        )  # fmt: skip
    for value, marker, words in places:
        reached = min(peak, value * target.bandwidth_gb_s / 1e3)
        axes.plot([value, value], [1e-9, reached], color="#b2182b", linestyle=":", linewidth=1.2)
        axes.plot(
            [value], [reached], marker=marker, color="#b2182b", linestyle="none", markersize=8,
            label=f"{near}{number_text(value)} FLOP a byte {words}", zorder=4,
        )  # fmt: skip
