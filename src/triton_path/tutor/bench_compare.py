"""Two runs side by side, where they can be compared at all."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from triton_path.errors import UsageFault
from triton_path.jobs.bench import Timing
from triton_path.tutor.bench_history import HISTORY

if TYPE_CHECKING:
    from triton_path.jobs.bench import BenchReport, ProviderReport
    from triton_path.tutor.bench_history import Kept


@dataclass(frozen=True)
class Row:
    """One provider at one size in both runs."""

    name: str
    size: str
    before: Timing
    after: Timing

    @property
    def ratio(self) -> float:
        """How many times faster the second run is."""
        return self.before.value / self.after.value

    @property
    def apart(self) -> bool:
        """Whether the spreads do not overlap: p20 .. p80 of each."""
        return self.before.p20 > self.after.p80 or self.after.p20 > self.before.p80


@dataclass(frozen=True)
class Comparison:
    """All rows, and what else is not the same in both."""

    before: Kept
    after: Kept
    rows: tuple[Row, ...]
    differences: tuple[str, ...] = field(default=())


def compare(before: Kept, after: Kept) -> Comparison:
    """Set two runs side by side. Raises UsageFault where they are not of the same thing."""
    one, two = before.report, after.report
    for what, first, second in (
        ("benches", one.bench, two.bench),
        ("devices", _device(one), _device(two)),
        ("dtypes", one.case.dtype, two.case.dtype),
        ("dropouts", f"{one.case.dropout:g}", f"{two.case.dropout:g}"),
        ("directions", _direction(one), _direction(two)),
    ):
        if first != second:
            raise UsageFault(
                f"These runs cannot be compared: they are of unlike {what}, {first} and {second}.",
                hint=HISTORY,
            )
    rows = tuple(_rows(one, two))
    if not rows:
        raise UsageFault("These runs have no measured time in common.", hint=HISTORY)
    return Comparison(before, after, rows, tuple(_differences(one, two)))


def _device(report: BenchReport) -> str:
    return report.device.name if report.device.kind == "gpu" else f"the CPU {report.device.name}"


def _direction(report: BenchReport) -> str:
    return "backward" if report.case.backward else "forward"


def _rows(one: BenchReport, two: BenchReport) -> list[Row]:
    later = {_key(provider): provider for provider in two.providers}
    rows = []
    for provider in one.providers:
        other = later.get(_key(provider))
        if other is None:
            continue
        if isinstance(provider.time, Timing) and isinstance(other.time, Timing):
            size = f"{provider.rows}x{provider.width}"
            rows.append(Row(provider.name, size, provider.time, other.time))
    return rows


def _key(provider: ProviderReport) -> tuple[str, str, int, int]:
    return provider.name, provider.device, provider.rows, provider.width


def _differences(one: BenchReport, two: BenchReport) -> list[str]:
    """Say what else may be the reason for another time."""
    found = [
        f"{name} {one.versions.get(name, '-')} -> {two.versions.get(name, '-')}"
        for name in sorted({*one.versions, *two.versions})
        if one.versions.get(name) != two.versions.get(name)
    ]
    if one.device.driver != two.device.driver:
        found.append(f"driver {one.device.driver} -> {two.device.driver}")
    if one.commit != two.commit:
        found.append(f"commit {(one.commit or '-')[:8]} -> {(two.commit or '-')[:8]}")
    if one.case.rounds != two.case.rounds:
        found.append(f"Philox rounds {one.case.rounds} -> {two.case.rounds}")
    clocks = [_clock(report) for report in (one, two)]
    if clocks[0] != clocks[1]:
        found.append(f"SM clock {clocks[0]} -> {clocks[1]}")
    return found


def _clock(report: BenchReport) -> str:
    known = [state.sm_mhz for state in report.device.clocks if state.sm_mhz is not None]
    return f"{known[-1]:.0f} MHz" if known else "not known"
