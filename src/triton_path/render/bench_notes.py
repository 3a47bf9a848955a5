"""What stands below a bench's figures: random numbers, timing, clocks, versions."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from triton_path.render import theme

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.bench import BenchReport, Clocks

LABEL_COLUMNS = 11


def labelled(label: str, text: Text | str) -> RenderableType:
    """Return a labelled line that wraps under its own text."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=LABEL_COLUMNS, no_wrap=True)
    grid.add_column()
    grid.add_row(Text(f" {label}", theme.KEY), text if isinstance(text, Text) else Text(text))
    return grid


def footnotes(report: BenchReport) -> list[RenderableType]:
    """Return the lines that tell how the figures above came about."""
    numbers = report.random
    lines: list[RenderableType] = []
    if numbers is not None and report.case.dropout:
        lines.append(
            labelled(
                "random",
                f"Philox {numbers.rounds} rounds, one call for {numbers.elements_per_call} "
                f"elements, threshold {numbers.threshold_bits} bits; seed {numbers.seed}, "
                f"{numbers.seed_time.value:.1f} us of the host (measured)",
            )
        )
    if report.device.kind == "gpu":
        text = "median, p20 .. p80; L2 flushed before each run, providers by turns"
        lines.append(labelled("timing", text))
        lines += [labelled("clocks", _clocks_text(state)) for state in report.device.clocks]
    names = ("torch", "triton", "python")
    versions = ", ".join(f"{name} {report.versions[name]}" for name in names)
    driver = f", driver {report.device.driver}" if report.device.driver else ""
    lines.append(labelled("versions", f"{versions}{driver}, {report.date[:10]}"))
    return lines


def _clocks_text(state: Clocks) -> str:
    parts = [
        f"{value:.0f} {unit}"
        for value, unit in (
            (state.sm_mhz, "MHz SM"),
            (state.memory_mhz, "MHz memory"),
            (state.power_w, "W"),
            (state.temperature_c, "C"),
        )
        if value is not None
    ]
    throttle = f"throttling: {state.throttle}" if state.throttle else "throttling not told"
    return f"{state.when}: {', '.join(parts)}, {throttle}"
