"""A bench's report as rows for a spreadsheet."""

from __future__ import annotations

import csv
import io
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.errors import MissingFault, UsageFault
from triton_path.jobs.bench import EAGER, Timing

if TYPE_CHECKING:
    from triton_path.jobs.bench import BenchReport, Figure, ProviderReport

COLUMNS = (
    "bench", "direction", "dtype", "device", "rows", "width", "provider", "launches",
    "bytes", "bytes_at_least", "time_us", "time_kind", "p20_us", "p80_us", "n", "graph_us",
    "kernels_us", "host_us", "gb_s", "of_copy_percent", "x_eager", "traffic", "use", "host",
    "bound", "error", "refused",
)  # fmt: skip


def parse_csv(text: str) -> Path:
    """Read the name of a file to write. Raises UsageFault."""
    path = Path(text)
    if path.is_dir() or not path.parent.is_dir():
        raise UsageFault(f"'{text}' is no file in a folder that is there.", hint="--csv bench.csv")
    return path


def write_csv(report: BenchReport, path: Path) -> None:
    """Write the rows. Raises MissingFault where that is not possible."""
    try:
        path.write_text(as_csv(report), encoding="utf-8")
    except OSError as fault:
        message = f"'{path}' cannot be written: {fault.strerror}."
        raise MissingFault(message, hint=f"--csv /tmp/{path.name}") from None


def as_csv(report: BenchReport) -> str:
    """Return a line of headings and one for each provider at each size."""
    out = io.StringIO()
    writer = csv.writer(out, lineterminator="\n")
    writer.writerow(COLUMNS)
    writer.writerows(_row(report, provider) for provider in report.providers)
    return out.getvalue()


def _row(report: BenchReport, provider: ProviderReport) -> list[object]:
    time = provider.time
    spread = [time.p20, time.p80, time.n] if isinstance(time, Timing) else ["", "", ""]
    split = provider.explained
    factors = [split.traffic, split.use, split.host] if split else [None] * 3
    return [
        report.bench,
        "backward" if report.case.backward else "forward",
        report.case.dtype,
        provider.device,
        provider.rows,
        provider.width,
        provider.name,
        provider.launches.value,
        _value(provider.bytes),
        int(provider.at_least),
        _value(time),
        time.kind if time else "",
        *spread,
        _value(provider.graph_time),
        _value(provider.kernel_time),
        _value(provider.host_time),
        _value(provider.bandwidth),
        _value(provider.of_copy),
        _value(provider.speedup.get(EAGER)),
        *map(_value, factors),
        provider.bound or "",
        provider.check.error if provider.check and provider.check.error is not None else "",
        provider.refused or "",
    ]


def _value(figure: Figure | None) -> float | str:
    return "" if figure is None else figure.value
