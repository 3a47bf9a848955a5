"""The verdict of a bench in a sentence, from its figures alone."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.bench import BEST_EAGER, COMPILED, EAGER, FUSED, TEN_ROUNDS

if TYPE_CHECKING:
    from collections.abc import Iterable

    from triton_path.jobs.bench import BenchReport, ProviderReport

PYTORCH = (EAGER, BEST_EAGER, COMPILED)


def verdict(report: BenchReport) -> str:
    """Return one sentence: what the run showed, or why it shows nothing."""
    if report.faults:
        count = len(report.faults)
        others = f" ({count - 1} more below)" if count > 1 else ""
        return f"A check failed, so nothing is claimed: {report.faults[0]}{others}"
    if report.device.kind == "cpu":
        return _without_gpu(report)
    measured = [
        main
        for shape in report.shapes
        if (main := main_of(report, shape.rows, shape.width)) is not None
    ]
    if not measured:
        return "Nothing was compared."
    return _one(report, measured[0]) if len(measured) == 1 else _several(measured)


def main_of(report: BenchReport, rows: int, width: int) -> ProviderReport | None:
    """Return the provider that a bench is about at one size.

    The fused kernel, or the fastest of the person's candidates, or what else stands beside eager.
    """
    here = [p for p in on_device(report, report.device.name) if (p.rows, p.width) == (rows, width)]
    fused = [p for p in here if p.name == FUSED]
    own = [p for p in here if p.name not in (*PYTORCH, TEN_ROUNDS)]
    rest = [p for p in here if p.name != EAGER]
    found = fused or own or rest
    return min(found, key=lambda p: p.time.value if p.time else float("inf"), default=None)


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


def named(provider: ProviderReport) -> str:
    """Return a provider as a sentence calls it."""
    return "the fused kernel" if provider.name == FUSED else provider.name


def _one(report: BenchReport, main: ProviderReport) -> str:
    speedup = main.speedup.get(EAGER)
    eager = find(on_device(report, main.device), EAGER, main.rows, main.width)
    if speedup is None or eager is None:
        return "Nothing was compared."
    name = named(main)
    if speedup.value < 1:
        return f"{_begun(name)} is slower than eager here: {speedup.value:.2f}x."
    who = "One Triton kernel" if main.name == FUSED and main.launches.value == 1 else _begun(name)
    many = eager.launches.value != 1
    kernels = f"the {eager.launches.value:.0f} eager kernels" if many else "the eager kernel"
    text = f"{who} is {speedup.value:.1f}x as fast as {kernels}"
    factors = factors_text(main)
    return f"{text}: {factors}." if factors else f"{text}."


def factors_text(provider: ProviderReport, digits: int = 1) -> str:
    """Return what a speedup over eager is made of; the product of the factors is the speedup."""
    split = provider.explained
    if split is None:
        return ""
    moved = "less" if split.traffic.value >= 1 else "of the"
    used = "better" if split.use.value >= 1 else "the"
    wait = "less" if split.host.value >= 1 else "more"
    return (
        f"{factor(split.traffic.value, digits)} {moved} traffic, "
        f"{factor(split.use.value, digits)} {used} use of the memory bandwidth and "
        f"{factor(split.host.value, digits)} by waiting {wait} for the host"
    )


def factor(value: float, digits: int = 1) -> str:
    """Write a factor, with two digits behind the point where one would hide what it is."""
    return f"{value:.{digits}f}x" if value >= 1.095 else f"{value:.2f}x"


def _begun(text: str) -> str:
    return text[0].upper() + text[1:] if text == "the fused kernel" else text


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
            f"At {where} {named(others[0])} is {' and '.join(gains)}, at {share} % of a copy's "
            "bandwidth."
        )
    slower = [p for p in measured if EAGER in p.speedup and p.speedup[EAGER].value < 1]
    if slower:
        sizes = ", ".join(f"{p.rows}x{p.width}" for p in slower)
        sentences.append(f"It is slower than eager at {sizes}.")
    if bound_by_host:
        sizes = ", ".join(f"{p.rows}x{p.width}" for p in bound_by_host)
        verb, whose = ("is", "its") if len(bound_by_host) == 1 else ("are", "their")
        text = f"{sizes} {verb} bound by the host: {whose} kernels are shorter than a launch."
        sentences.append(text)
    return " ".join(sentences)


def host_bound(provider: ProviderReport) -> bool:
    """Tell whether launching from the host costs more than a tenth of the time."""
    if provider.bound is not None:
        return provider.bound == "launch"
    if provider.graph_time is None or provider.time is None:
        return False
    return provider.time.value > 1.1 * provider.graph_time.value


def _range(values: list[float], digits: int = 1) -> str:
    low, high = f"{min(values):.{digits}f}", f"{max(values):.{digits}f}"
    return low if low == high else f"{low} to {high}"


def _without_gpu(report: BenchReport) -> str:
    about = report.shapes[0]
    ratio = about.traffic_ratio.value
    cases = len(report.verification.cases) if report.verification else 0
    if report.own_file is not None:
        return _own_without_gpu(report, cases)
    if cases:
        return (
            f"The fused kernel is right in {cases} of {cases} cases and moves {ratio:.1f}x fewer "
            "bytes than eager; how fast it is, only a GPU can tell."
        )
    return (
        f"Eager moves {ratio:.1f}x the bytes that have to move; how fast one kernel would be, "
        "only a GPU can tell."
    )


def _own_without_gpu(report: BenchReport, cases: int) -> str:
    ledger = report.shapes[0].ledger
    if ledger is None:
        return "Nothing was counted."
    parts = sum(part.fusable and part.ops > 1 for part in ledger.parts)
    ratio = ledger.bytes_now / max(ledger.bytes_fused, 1)
    if parts == 0:
        text = "Nothing in this chain could share a kernel"
    else:
        ops = sum(part.ops for part in ledger.parts if part.fusable and part.ops > 1)
        kernels = "one kernel" if parts == 1 else f"{parts} kernels"
        text = f"{ops} operations could be {kernels}: {ratio:.1f}x less traffic"
    checked = f"; {cases} of {cases} candidates right in the interpreter" if cases else ""
    return f"{text}{checked}. How fast that is, only a GPU can tell."
