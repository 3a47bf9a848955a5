"""What a lie returns, and when a false figure counts as shown."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from triton_path.jobs.bench import Figure, Kind, Timing
from triton_path.jobs.lies import Pair

LEAST_OFF = 1.05
"""A figure that is off by less is not called false."""

Side = Literal["below", "above"]


@dataclass(frozen=True)
class Shown:
    """The figures of one lie."""

    setting: str
    pairs: tuple[Pair, ...]


def compare(what: str, false: Timing | Figure, true: Timing | Figure | None, *, lies: Side) -> Pair:
    """Set two figures side by side; `lies` says on which side of the truth the false one falls."""
    if true is None:
        return Pair(what=what, false=false, true=None, shows=True)
    ratio = None
    if false.value > 0 and true.value > 0:
        larger, smaller = max(false.value, true.value), min(false.value, true.value)
        ratio = larger / smaller
    kind: Kind = "counted" if false.kind == true.kind == "counted" else "measured"
    return Pair(
        what=what,
        false=false,
        true=true,
        factor=None if ratio is None else Figure(value=ratio, unit="x", kind=kind),
        shows=_is_false(false.value, true, ratio, lies),
    )


def _is_false(false: float, true: Timing | Figure, ratio: float | None, lies: Side) -> bool:
    low, high = (true.p20, true.p80) if isinstance(true, Timing) else (true.value, true.value)
    if false < low if lies == "below" else false > high:
        return ratio is None or ratio >= LEAST_OFF
    return False


def gb_s(moved: int, timing: Timing | Figure) -> Figure:
    """Return bytes over a time in microseconds, in GB/s (1e9 bytes)."""
    return Figure(value=moved / timing.value / 1e3, unit="GB/s", kind="measured")


def ratio_of(upper: Timing | Figure, lower: Timing | Figure) -> Figure:
    """Return how many times larger one measured figure is than another."""
    return Figure(value=upper.value / lower.value, unit="x", kind="measured")


def share(part: float, whole: float, kind: Kind) -> Figure:
    """Return a share in percent."""
    return Figure(value=100 * part / whole, unit="%", kind=kind)
