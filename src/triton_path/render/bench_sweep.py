"""A sweep over sizes as one table, with what bounds each size."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from triton_path.jobs.bench import COMPILED, EAGER, FUSED
from triton_path.render import theme
from triton_path.render.bench_notes import labelled
from triton_path.render.bench_tables import WIDE_COLUMNS, microseconds, quantity
from triton_path.tutor.bench_sweep import borders, main_name
from triton_path.tutor.bench_verdict import find, on_device

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.bench import BenchReport, Figure, ProviderReport


def sweep_parts(report: BenchReport, width: int) -> list[RenderableType]:
    """Return the table of all sizes and the borders between what bounds them."""
    name = main_name(report) if report.device.kind == "gpu" else None
    if report.device.kind != "gpu" or name is None:
        return [
            labelled("counted", "every size; times are the least, predicted"),
            _counted(report, width),
        ]
    parts: list[RenderableType] = [_measured(report, name, width)]
    found = [(who, sentence) for who in (EAGER, name) for sentence in borders(report, who)]
    return [*parts, *(labelled("border", f"{_said(who)}, {text}") for who, text in found)]


def _said(name: str) -> str:
    return "the fused kernel" if name == FUSED else name


def _measured(report: BenchReport, name: str, width: int) -> Table:
    wide = width >= WIDE_COLUMNS
    compiled = [COMPILED] if wide else []
    names = [EAGER, *compiled, name]
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    table.add_column("rows x width", no_wrap=True)
    for heading in (
        *(["moves"] if wide else []),
        "eager",
        *(["compiled"] if wide else []),
        "fused",
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for heading in ("of copy", "x eager"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("bound", no_wrap=True)
    here = on_device(report, report.device.name)
    for shape in report.shapes:
        found = [find(here, who, shape.rows, shape.width) for who in names]
        main = found[-1]
        table.add_row(
            f"{shape.rows} x {shape.width}",
            *([quantity(shape.least.value)] if wide else []),
            *[_time(provider) for provider in found],
            _figure(main.of_copy if main else None, " %"),
            _gain(main),
            (main.bound if main else None) or "-",
        )
    return table


def _counted(report: BenchReport, width: int) -> Table:
    wide = width >= WIDE_COLUMNS
    device = report.target.name if report.target else "gpu"
    here = on_device(report, device)
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    table.add_column("rows x width", no_wrap=True)
    for heading in (
        *(["eager moves"] if wide else []),
        "at least",
        "ratio",
        "eager us",
        "least us",
    ):
        table.add_column(heading, justify="right", no_wrap=True)
    for shape in report.shapes:
        eager = find(here, EAGER, shape.rows, shape.width)
        if eager is None or eager.bytes is None or eager.time is None:
            continue
        least = eager.time.value / shape.traffic_ratio.value
        table.add_row(
            f"{shape.rows} x {shape.width}",
            *([quantity(eager.bytes.value)] if wide else []),
            quantity(shape.least.value),
            f"{shape.traffic_ratio.value:.1f}x",
            microseconds(eager.time.value),
            microseconds(least),
        )
    return table


def _time(provider: ProviderReport | None) -> str:
    return "-" if provider is None or provider.time is None else microseconds(provider.time.value)


def _figure(figure: Figure | None, unit: str) -> str:
    return "-" if figure is None else f"{figure.value:.0f}{unit}"


def _gain(provider: ProviderReport | None) -> str:
    if provider is None:
        return "-"
    if provider.refused:
        return theme.WRONG_SIGN
    ratio = provider.speedup.get(EAGER)
    return "-" if ratio is None else f"{ratio.value:.2f}"
