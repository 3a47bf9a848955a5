"""The verdict of a bench in a sentence, from its figures alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.bench import COMPILED, EAGER, FUSED

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triton_path.jobs.bench import BenchReport, ProviderReport


def verdict(report: BenchReport) -> str:
    """Return one sentence: what the run showed, or why it shows nothing."""
    if report.faults:
        count = len(report.faults)
        others = f" ({count - 1} more below)" if count > 1 else ""
        return f"A check failed, so nothing is claimed: {report.faults[0]}{others}"
    if report.device.kind == "cpu":
        return _without_gpu(report)
    measured = [p for p in on_device(report, report.device.name) if p.name == FUSED]
    return _one(report, measured[0]) if len(measured) == 1 else _several(measured)


def on_device(report: BenchReport, device: str) -> list[ProviderReport]:
    """Return the providers whose time holds on `device`."""
    return [provider for provider in report.providers if provider.device == device]


def find(
    providers: Iterable[ProviderReport], name: str, rows: int, width: int
) -> ProviderReport | None:
    """Return the provider `name` at one shape."""
    for provider in providers:
        if (provider.name, provider.rows, provider.width) == (name, rows, width):
            return provider
    return None


def _one(report: BenchReport, fused: ProviderReport) -> str:
    speedup = fused.speedup.get(EAGER)
    eager = find(on_device(report, fused.device), EAGER, fused.rows, fused.width)
    if speedup is None or eager is None or fused.bytes is None or eager.bytes is None:
        return "Nothing was compared."
    traffic = eager.bytes.value / fused.bytes.value
    use = speedup.value / traffic
    if speedup.value < 1:
        return f"The fused kernel is slower than eager here: {speedup.value:.2f}x."
    kernels = f"the {eager.launches.value:.0f} eager kernels"
    better = "better" if use >= 1 else "worse"
    factor = use if use >= 1 else 1 / use
    return (
        f"One Triton kernel is {speedup.value:.1f}x as fast as {kernels}: {traffic:.1f}x less "
        f"traffic, and {factor:.1f}x {better} use of the memory bandwidth."
    )


def _several(measured: list[ProviderReport]) -> str:
    bound_by_host = [p for p in measured if host_bound(p)]
    others = [p for p in measured if p not in bound_by_host]
    sentences = []
    if others:
        gains = [
            f"{_range([p.speedup[name].value for p in others])}x as fast as {name}"
            for name in (EAGER, COMPILED)
            if all(name in p.speedup for p in others)
        ]
        share = _range([p.of_copy.value for p in others if p.of_copy], digits=0)
        where = "1 shape" if len(others) == 1 else f"{len(others)} shapes"
        sentences.append(
            f"At {where} the fused kernel is {' and '.join(gains)}, at {share} % of a copy's "
            "bandwidth."
        )
    for provider in bound_by_host:
        size = f"{provider.rows}x{provider.width}"
        sentences.append(f"{size} is bound by the host: its kernels are shorter than a launch.")
    return " ".join(sentences)


def host_bound(provider: ProviderReport) -> bool:
    """Tell whether launching from the host costs more than a tenth of the time."""
    if provider.graph_time is None or provider.time is None:
        return False
    return provider.time.value > 1.1 * provider.graph_time.value


def _range(values: list[float], digits: int = 1) -> str:
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def _without_gpu(report: BenchReport) -> str:
    about = report.shapes[0]
    verification = report.verification
    cases = len(verification.cases) if verification else 0
    return (
        f"The fused kernel is right in {cases} of {cases} cases and moves "
        f"{about.traffic_ratio.value:.1f}x fewer bytes than eager; how fast it is, only a GPU "
        "can tell."
    )
