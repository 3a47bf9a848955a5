"""What a sweep over sizes shows: where a chain is bound by launches, by the cache, by memory."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.tutor.bench_verdict import find, main_of, on_device

if TYPE_CHECKING:
    from triton_path.jobs.bench import BenchReport, Bound

WORDS: dict[Bound, str] = {
    "launch": "bound by launches: the host takes longer than the kernels",
    "cache": "small enough for the L2: what a kernel leaves for the next is still in it",
    "memory": "bound by the memory",
}


def borders(report: BenchReport, name: str) -> list[str]:
    """Say in which range of bytes provider `name` is bound by what, as it was measured."""
    found: list[tuple[Bound, int]] = []
    for shape in sorted(report.shapes, key=lambda shape: shape.least.value):
        provider = find(on_device(report, report.device.name), name, shape.rows, shape.width)
        if provider is not None and provider.bound is not None:
            found.append((provider.bound, int(shape.least.value)))
    sentences = []
    for bound in WORDS:
        sizes = [size for other, size in found if other == bound]
        if sizes:
            sentences.append(f"{_range(sizes)}: {WORDS[bound]}")
    return sentences


def _range(sizes: list[int]) -> str:
    low, high = min(sizes), max(sizes)
    return _bytes(low) if low == high else f"{_bytes(low)} to {_bytes(high)}"


def _bytes(value: float) -> str:
    for size, unit in ((1e9, "GB"), (1e6, "MB"), (1e3, "kB")):
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B"


def main_name(report: BenchReport) -> str | None:
    """Return the provider that a sweep is about."""
    first = report.shapes[0]
    main = main_of(report, first.rows, first.width)
    return main.name if main is not None else None
