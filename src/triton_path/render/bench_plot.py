"""A bench as a figure in a file: bars of one size, or lines over the sizes of a sweep.

Importing this imports matplotlib, half a second: only `--plot` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from triton_path.render.bench_plot_bars import draw_ledger, draw_times
from triton_path.render.bench_plot_lines import draw_bandwidth, draw_speedup
from triton_path.render.plot_file import draw_into

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.jobs.bench import BenchReport

INCHES = (13.0, 5.6)
HATCH_WIDTH = 0.6


def draw(report: BenchReport, path: Path) -> None:
    """Draw `report` into `path`, PNG or SVG by its suffix.

    Raises MissingFault where the file cannot be written.
    """
    draw_into(path, lambda: figure_of(report), hatch_width=HATCH_WIDTH)


def figure_of(report: BenchReport) -> Figure:
    """Return the figure: of one size its times and its ledger, of several two lines over size."""
    figure = Figure(figsize=INCHES, layout=ConstrainedLayoutEngine(h_pad=0.12, w_pad=0.12))
    rooms: Any = figure.subfigures(3, 1, height_ratios=[0.7, 4.6, 0.3])
    head, body, foot = rooms
    direction = "   backward" if report.case.backward else ""
    dropout = f"   dropout {report.case.dropout:g}" if report.random is not None else ""
    head.text(0.01, 0.85, report.bench, fontsize=14, fontweight="bold", va="top")
    about = f"{report.case.dtype}{dropout}{direction}"
    head.text(0.01, 0.3, f"{report.about}   {about}", fontsize=9, color="0.3", va="top")
    where = report.device.name if report.device.kind == "gpu" else "no GPU here: predicted"
    head.text(0.99, 0.85, where, fontsize=11, ha="right", va="top")
    left, right = body.subplots(1, 2)
    if len(report.shapes) == 1:
        draw_times(left, report)
        draw_ledger(right, report)
    else:
        draw_bandwidth(left, report)
        draw_speedup(right, report)
    foot.text(0.01, 0.5, _basis(report), fontsize=8, color="0.35", va="center")
    return figure


def _basis(report: BenchReport) -> str:
    if report.device.kind == "gpu":
        names = ", ".join(
            f"{name} {report.versions.get(name, '?')}" for name in ("torch", "triton")
        )
        return (
            "Times are measured: medians, the L2 flushed before each run, providers by turns. "
            f"Bytes are counted. {names}, driver {report.device.driver}, {report.date[:10]}"
        )
    target = report.target
    named = f"{target.bandwidth.value:g} GB/s of {target.name}" if target else "a datasheet"
    return f"Nothing is measured: bytes are counted, times are these bytes over {named}."
