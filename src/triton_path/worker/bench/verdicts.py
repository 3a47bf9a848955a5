"""What may be claimed of a time: its floor, its bandwidth, its speedups and what they are of."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.bench import BEST_EAGER, COMPILED, EAGER, Figure
from triton_path.worker.bench.explaining import explained

if TYPE_CHECKING:
    from triton_path.jobs.bench import ProviderReport

BASELINES = (EAGER, BEST_EAGER, COMPILED)
TOLERANCE = 0.95
"""A kernel may be a little faster than the copy that the bandwidth was measured with."""


def least_us(read: int, written: int, l2_bytes: int, gb_s: float) -> float:
    """Return the time below which a cold run is not believed, in microseconds.

    Every byte read comes from memory. Of the bytes written, the L2 may still hold its own size
    when the last event is recorded.
    """
    return (read + max(0, written - l2_bytes)) / (gb_s * 1e3)


def bandwidth(moved: int, time_us: float) -> Figure:
    """Return bytes over time in GB/s (1e9 bytes)."""
    return Figure(value=moved / time_us / 1e3, unit="GB/s", kind="measured")


def too_fast(time_us: float, least: float) -> str | None:
    """Return why a time is refused, or None where it is possible."""
    if time_us >= TOLERANCE * least:
        return None
    return f"{time_us:.1f} us is less than the {least:.1f} us that its bytes take: not believed."


def with_speedups(reports: list[ProviderReport]) -> list[ProviderReport]:
    """Add to each report how many times faster it is than each baseline.

    Only between two providers that passed their checks; all reports are of one shape and device.
    """
    sound = {r.name: r.time.value for r in reports if r.time is not None and r.refused is None}
    eager = next((report for report in reports if report.name == EAGER), None)
    added = []
    for report in reports:
        own = sound.get(report.name)
        speedup = {
            name: Figure(value=sound[name] / own, unit="x", kind="measured")
            for name in BASELINES
            if own is not None and name in sound and name != report.name
        }
        factors = explained(eager, report) if eager is not None and EAGER in speedup else None
        added.append(report.model_copy(update={"speedup": speedup, "explained": factors}))
    return added
