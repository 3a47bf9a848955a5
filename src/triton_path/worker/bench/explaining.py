"""Takes a speedup apart: less traffic, better use of the bandwidth, less of the host."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.bench import Explained, Figure

if TYPE_CHECKING:
    from triton_path.jobs.bench import Bound, ProviderReport


def explained(eager: ProviderReport, other: ProviderReport) -> Explained | None:
    """Return the three factors of the speedup of `other` over `eager`, or None.

    With time T, time under a CUDA graph G and bytes B, the speedup T / T' is
    (B / B') * ((B' / G') / (B / G)) * ((T / G) / (T' / G')). Without a graph, the sum of the
    kernels' times stands for G.
    """
    sides = (eager, other)
    if any(side.time is None or side.bytes is None or side.refused for side in sides):
        return None
    device = [side.graph_time for side in sides]
    if None in device:
        device = [side.kernel_time for side in sides]
    assert eager.time is not None
    assert other.time is not None
    assert eager.bytes is not None
    assert other.bytes is not None
    ours, theirs = device[1], device[0]
    if ours is None or theirs is None:
        return None
    traffic = eager.bytes.value / other.bytes.value
    use = theirs.value / ours.value / traffic
    host = (eager.time.value / theirs.value) / (other.time.value / ours.value)
    return Explained(
        traffic=Figure(value=traffic, unit="x", kind="counted"),
        use=Figure(value=use, unit="x", kind="measured"),
        host=Figure(value=host, unit="x", kind="measured"),
    )


def bound_of(report: ProviderReport, working_set: int, l2_bytes: int) -> Bound | None:
    """Return what limits a provider at one size, or None where that was not measured."""
    if report.host_time is None or report.kernel_time is None:
        return None
    if report.host_time.value > report.kernel_time.value:
        return "launch"
    return "cache" if working_set <= l2_bytes else "memory"
