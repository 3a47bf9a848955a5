"""The bench of a person's own chain: what goes in, what could be fused, and what it saves."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.bench_ledger import ledger_parts
from triton_path.render.bench_notes import footnotes, labelled
from triton_path.render.bench_tables import WIDE_COLUMNS, microseconds, quantity
from triton_path.render.bench_verified import verified

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.bench import BenchReport
    from triton_path.jobs.ledger import Ledger


def inputs_text(report: BenchReport) -> str:
    """Return the arguments in a line."""
    return ", ".join(f"{name} {what}" for name, what in report.shapes[0].inputs.items())


def without_gpu(report: BenchReport, width: int) -> list[RenderableType]:
    """Return what a machine without a GPU says of a person's chain."""
    shape = report.shapes[0]
    parts: list[RenderableType] = [labelled("inputs", inputs_text(report))]
    if report.verification is not None and report.verification.cases:
        parts.append(verified(report))
    if shape.ledger is not None:
        parts += [Text(""), *ledger_parts(shape.ledger, width), saved(shape.ledger)]
        parts += [Text(""), labelled("predicted", PREDICTED), _gpus(report, width)]
    parts += [Text(""), *footnotes(report)]
    return parts


PREDICTED = (
    "the least time, us: bytes over the datasheet's bandwidth. Matrix products take longer; a "
    "launch costs microseconds more"
)


def saved(ledger: Ledger) -> RenderableType:
    """Return what the plan would save."""
    now, fused = ledger.bytes_now, ledger.bytes_fused
    if fused >= now:
        return labelled("saved", "nothing: there is no traffic that fusing would spare")
    return labelled(
        "saved",
        f"{quantity(now)} -> {quantity(fused)}: {quantity(now - fused)} less, "
        f"{now / max(fused, 1):.1f}x less traffic (counted)",
    )


def _gpus(report: BenchReport, width: int) -> Table:
    """Return two GPUs a line where there is room."""
    pairs = 2 if width >= WIDE_COLUMNS else 1
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    for _ in range(pairs):
        table.add_column("", no_wrap=True)
        table.add_column("eager", justify="right", no_wrap=True)
        table.add_column("fused", justify="right", no_wrap=True)
    cells = [
        (gpu.id, microseconds(gpu.eager.value), microseconds(gpu.fused.value))
        for gpu in report.on_gpus
    ]
    half = -(-len(cells) // pairs)
    for number in range(half):
        row = [cells[place] for place in range(number, len(cells), half)]
        table.add_row(*[cell for entry in row for cell in entry])
    return table
