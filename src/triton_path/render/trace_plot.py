"""A trace as a figure in a file: tiles of each tensor, bytes of each line, the roofline.

Importing this imports matplotlib, half a second: only `--plot` does.
"""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine

from triton_path.render.plot_file import draw_into
from triton_path.render.trace_plot_lines import draw_lines, rows_of
from triton_path.render.trace_plot_roofline import draw_roofline
from triton_path.render.trace_plot_tiles import draw_tiles, tallness
from triton_path.render.trace_words import (
    about,
    argument_text,
    bytes_text,
    grid_text,
    moved,
    values_text,
)

if TYPE_CHECKING:
    from matplotlib.figure import SubFigure

    from triton_path.jobs.trace import TraceReport
    from triton_path.jobs.watch import LaunchReport

INCHES_WIDE = 13.0
MOST_PICTURES = 6
HATCH_WIDTH = 0.5
BASIS = (
    "Bytes, sectors and owners are counted in Triton's interpreter; "
    "the roofline is predicted from a datasheet. Nothing is measured."
)


def draw(report: TraceReport, path: Path, program: int | None = None) -> None:
    """Draw one launch of `report` into `path`, PNG or SVG by its suffix.

    `program` is outlined. Raises MissingFault where the file cannot be written.
    """
    draw_into(path, lambda: figure_of(report, program), hatch_width=HATCH_WIDTH)


def shown_launch(report: TraceReport) -> int:
    """Return the launch to draw: the first with a fault, or else the first."""
    return min((f.launch for f in report.watch.faults if f.launch >= 0), default=0)


def figure_of(report: TraceReport, program: int | None = None) -> Figure:
    """Return the figure of one launch: pictures on the left, lines and roofline on the right."""
    number = shown_launch(report)
    launch = report.watch.launches[number]
    pictures = launch.ownership[:MOST_PICTURES]
    ratios = [tallness(owned) for owned in pictures] or [1.0]
    rows = rows_of(launch)
    height = max(1.3 + sum(ratios), 6.1 + 0.5 * len(rows))
    layout = ConstrainedLayoutEngine(h_pad=0.1, w_pad=0.12)
    figure = Figure(figsize=(INCHES_WIDE, height), layout=layout)
    head, body, foot = _split(figure, 3, 1, height_ratios=[0.75, height - 1.05, 0.3])
    _write_head(head, report, number)
    left, right = _split(body, 1, 2, width_ratios=[1.1, 1])
    axes = left.subplots(len(ratios), 1, height_ratios=ratios, squeeze=False)[:, 0]
    if not pictures:
        axes[0].axis("off")
        axes[0].text(0, 0.5, "The launch ended before it touched a tensor.")
    for place, owned in zip(axes, pictures, strict=False):
        draw_tiles(place, owned, launch, program)
    upper, lower = _split(right, 2, 1, height_ratios=[0.6 + 0.5 * len(rows), 4.2])
    draw_lines(upper.subplots(), launch, rows)
    draw_roofline(lower, report, number)
    left_out = len(launch.ownership) - len(pictures)
    more = f" {left_out} more pictures are on the screen." if left_out else ""
    foot.text(0.01, 0.5, BASIS + more, fontsize=8, color="0.35", va="center")
    return figure


def _split(figure: Any, rows: int, columns: int, **ratios: list[float]) -> list[Any]:
    """Cut a figure into parts, each of which lays out its own."""
    return list(figure.subfigures(rows, columns, squeeze=False, **ratios).flat)


def _write_head(head: SubFigure, report: TraceReport, number: int) -> None:
    launch = report.watch.launches[number]
    title = f"{launch.kernel}   grid {grid_text(launch.grid)}"
    several = len(report.watch.launches)
    where = f"{Path(report.file).name}:{launch.place.line}"
    if several > 1:
        where += f", launch {number + 1} of {several}"
    head.text(0.01, 0.88, title, fontsize=14, fontweight="bold", va="top")
    size = f"{where}   {about(launch)}{bytes_text(moved(launch))} moved"
    head.text(0.99, 0.88, size, fontsize=10, ha="right", va="top")
    arguments = "   ".join(argument_text(argument) for argument in launch.arguments)
    head.text(0.01, 0.46, _cut(arguments), fontsize=9, va="top")
    head.text(0.01, 0.14, _cut(values_text(launch)), fontsize=9, color="0.35", va="top")
    state, colour = _state(report, launch)
    head.text(0.99, 0.46, state, fontsize=9, ha="right", va="top", color=colour)


def _state(report: TraceReport, launch: LaunchReport) -> tuple[str, str]:
    """Return what to know before trusting the figures, and its colour."""
    whole = launch.extrapolated
    words = []
    if whole is not None:
        words.append(f"counted in {whole.programs} of {whole.grid_programs} programs, extrapolated")
    if report.faults:
        words.append(f"{report.faults} fault{'s' * (report.faults > 1)} found")
    if launch.stopped_by is not None:
        words.append("stopped by one: counted up to there")
    return ", ".join(words), "#a00000" if report.faults else "#8a5a00"


MOST_CHARACTERS = 150


def _cut(text: str) -> str:
    return text if len(text) <= MOST_CHARACTERS else f"{text[: MOST_CHARACTERS - 3]}..."
