"""What a GPU measured of a kernel: its time beside the limit, PyTorch and torch.compile."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.bench_tables import BAR, microseconds

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.practice import GpuResult, Provider

WIDE_COLUMNS = 74
"""Narrowest width for the table with its spread."""
NAME_COLUMNS = 17
MOST_BAR = 20


def gpu_parts(gpu: GpuResult, width: int) -> list[RenderableType]:
    """Return the table of times, what the limit is, and where all of it was measured."""
    parts: list[RenderableType] = []
    if gpu.providers:
        parts.append(_times(gpu, width))
    lines = [("measured", f"{gpu.label} on one {gpu.device}" if gpu.label else gpu.device)]
    if gpu.limit:
        time = f": {microseconds(gpu.limit_time.value)} us" if gpu.limit_time else ""
        lines.append(("limit", f"{gpu.limit}{time}"))
    if gpu.untimed:
        lines.append(("not timed", gpu.untimed))
    if gpu.agreement:
        lines.append(("agreement", gpu.agreement))
    about = f"driver {gpu.driver}, torch {gpu.torch}, Triton {gpu.triton}, {gpu.date}"
    lines.append(("", about))
    return [*parts, labelled(lines)]


def labelled(lines: list[tuple[str, str]]) -> RenderableType:
    """Return lines behind their labels, each wrapped under its own text."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True, width=10)
    grid.add_column(overflow="fold")
    for label, text in lines:
        grid.add_row(Text(f" {label}", theme.KEY), Text(text, "" if label else theme.QUIET))
    return grid


def _times(gpu: GpuResult, width: int) -> Table:
    """Return a row for each way; a narrow window loses the spread, never a row."""
    wide = width >= WIDE_COLUMNS
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    table.add_column("", no_wrap=True, min_width=NAME_COLUMNS)
    for heading in ("us", *(("p20 .. p80", "n") if wide else ()), "of limit"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("", no_wrap=True)
    slowest = max(provider.time.value for provider in gpu.providers)
    for number, provider in enumerate(gpu.providers):
        spread = (_spread(provider), str(provider.time.n)) if wide else ()
        bar = BAR * max(1, round(MOST_BAR * provider.time.value / slowest))
        share = "-" if provider.of_limit is None else f"{100 * provider.of_limit:.0f} %"
        table.add_row(
            Text(provider.name, theme.TITLE if number == 0 else ""),
            microseconds(provider.time.value), *spread, share, Text(bar, theme.ACCENT),
        )  # fmt: skip
    return table


def _spread(provider: Provider) -> str:
    return f"{microseconds(provider.time.p20)} .. {microseconds(provider.time.p80)}"
