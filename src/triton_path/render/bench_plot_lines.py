"""Lines over the sizes of a sweep: the bandwidth of each provider, and its speedup."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.ticker import FuncFormatter, NullFormatter

from triton_path.jobs.bench import EAGER
from triton_path.render.bench_plot_bars import device_of
from triton_path.render.bench_tables import quantity
from triton_path.tutor.bench_verdict import on_device

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triton_path.jobs.bench import BenchReport, ProviderReport

MARKS = (("o", "-"), ("s", "--"), ("^", "-."), ("D", "-"), ("v", ":"), ("x", "--"), ("P", "-."))
GREYS = ("0.55", "0.45", "0.35", "black", "0.3", "0.5", "0.4")


def draw_bandwidth(axes: Axes, report: BenchReport) -> None:
    """Draw what each provider makes of the least bytes, GB/s, over these bytes.

    One measure for all: eager moves more, and what it moves in vain counts for nothing here.
    """
    if report.device.kind != "gpu":
        _draw_predicted(axes, report)
        return
    axes.set_title("bytes that have to move over time, GB/s, measured")
    for (name, points), (mark, line), grey in _series(report):
        xs = [size for size, _ in points]
        ys = [size / p.time.value / 1e3 for size, p in points if p.time is not None]
        axes.plot(xs, ys, marker=mark, linestyle=line, color=grey, label=name, linewidth=1.4)
    copies = sorted(
        (shape.least.value, shape.copy_bandwidth.value)
        for shape in report.shapes
        if shape.copy_bandwidth is not None
    )
    if copies:
        label = "a copy of as many bytes"
        axes.plot(
            *zip(*copies, strict=True), color="black", linewidth=0.8, linestyle=":", label=label
        )
    l2 = report.device.l2_bytes
    if l2:
        axes.axvline(l2, color="0.6", linewidth=0.8)
        words = f" L2: {quantity(l2)}"
        axes.text(l2, 1.0, words, transform=axes.get_xaxis_transform(), fontsize=8, va="top")
    axes.set_ylim(0, 1.06 * axes.dataLim.y1)
    _bytes_axis(axes)


def _draw_predicted(axes: Axes, report: BenchReport) -> None:
    """Draw the least time of each provider over the bytes that have to move."""
    axes.set_title("time, us, predicted at least")
    for (name, points), (mark, line), grey in _series(report):
        xs = [size for size, _ in points]
        ys = [provider.time.value for _, provider in points if provider.time is not None]
        axes.plot(xs, ys, marker=mark, linestyle=line, color=grey, label=name, linewidth=1.4)
    axes.set_yscale("log")
    axes.yaxis.set_major_formatter(FuncFormatter(lambda value, _: f"{value:g}"))
    _bytes_axis(axes)


def draw_speedup(axes: Axes, report: BenchReport) -> None:
    """Draw the speedup over eager, over the least bytes; where nothing was measured, by traffic."""
    if report.device.kind != "gpu":
        axes.set_title("bytes of eager over the least, counted")
        points = sorted((s.least.value, s.traffic_ratio.value) for s in report.shapes)
        axes.plot(*zip(*points, strict=True), marker="o", color="black", label="traffic")
    else:
        axes.set_title("speedup over eager, measured")
        for (name, points_of), (mark, line), grey in _series(report):
            gains = [
                (size, provider.speedup[EAGER].value)
                for size, provider in points_of
                if EAGER in provider.speedup
            ]
            if gains:
                axes.plot(
                    *zip(*gains, strict=True), marker=mark, linestyle=line, color=grey, label=name
                )
        traffic = sorted((s.least.value, s.traffic_ratio.value) for s in report.shapes)
        axes.plot(
            *zip(*traffic, strict=True), color="black", linewidth=0.8, linestyle=":",
            label="by traffic alone, counted",
        )  # fmt: skip
        axes.axhline(1, color="0.6", linewidth=0.8)
    axes.set_ylim(0, 1.06 * axes.dataLim.y1)
    _bytes_axis(axes)


Points = list[tuple[float, "ProviderReport"]]


def _series(report: BenchReport) -> list[tuple[tuple[str, Points], tuple[str, str], str]]:
    """Return each provider's points by size, with its mark and its grey."""
    least = {(s.rows, s.width): float(s.least.value) for s in report.shapes}
    lines: dict[str, Points] = {}
    for provider in on_device(report, device_of(report)):
        if provider.time is not None and not provider.refused:
            size = least[provider.rows, provider.width]
            lines.setdefault(provider.name, []).append((size, provider))
    ordered = [(name, sorted(points, key=lambda point: point[0])) for name, points in lines.items()]
    return [(line, MARKS[n % len(MARKS)], GREYS[n % len(GREYS)]) for n, line in enumerate(ordered)]


def _bytes_axis(axes: Axes) -> None:
    axes.set_xscale("log")
    axes.set_xlabel("bytes that have to move")
    axes.xaxis.set_major_formatter(FuncFormatter(lambda value, _: quantity(value)))
    axes.xaxis.set_minor_formatter(NullFormatter())
    axes.grid(visible=True, which="major", color="0.9", linewidth=0.6)
    # Below the axes: inside it would hide a point.
    axes.legend(fontsize=8, frameon=False, loc="upper center", bbox_to_anchor=(0.5, -0.13), ncols=3)
