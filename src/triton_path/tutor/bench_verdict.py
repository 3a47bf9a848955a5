"""The verdict of a bench in a sentence, from its figures alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triton_path.jobs.bench import BenchReport, ProviderReport

FUSED, EAGER, COMPILED = "Triton fused", "eager", "torch.compile"


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
    parts = []
    for name in (EAGER, COMPILED):
        values = [p.speedup[name].value for p in measured if name in p.speedup]
        if values:
            parts.append(f"{min(values):.1f} to {max(values):.1f}x as fast as {name}")
    shares = [p.of_copy.value for p in measured if p.of_copy]
    return (
        f"Over {len(measured)} shapes the fused kernel is {', '.join(parts)}, "
        f"and reaches {min(shares):.0f} to {max(shares):.0f} % of a copy."
    )


def _without_gpu(report: BenchReport) -> str:
    about = report.shapes[0]
    verification = report.verification
    cases = len(verification.cases) if verification else 0
    return (
        f"The fused kernel is right in {cases} of {cases} cases and moves "
        f"{about.traffic_ratio.value:.1f}x fewer bytes than eager; how fast it is, only a GPU "
        "can tell."
    )
