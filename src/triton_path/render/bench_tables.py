"""The tables and the bar picture of a bench."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from triton_path.jobs.bench import EAGER, Timing
from triton_path.render import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.jobs.bench import ProviderReport

WIDE_COLUMNS = 78
"""Narrowest window for the table with its spread."""
NAME_COLUMNS = 17
BAR = "█"
FLOOR_SIGN = "╎"
UNITS = ((1e12, "TB"), (1e9, "GB"), (1e6, "MB"), (1e3, "kB"))


def quantity(value: float) -> str:
    """Write bytes with three digits and a decimal unit."""
    for size, unit in UNITS:
        if value >= size:
            return f"{value / size:.3g} {unit}"
    return f"{value:.0f} B"


def microseconds(value: float) -> str:
    """Write a time with as many digits as matter."""
    if value < 1:
        return f"{value:.2g}"
    return f"{value:.1f}" if value < 100 else f"{value:.0f}"


def _table(*headings: str) -> Table:
    """Return a borderless table: names at the left, figures at the right."""
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    table.add_column("", min_width=NAME_COLUMNS, no_wrap=True)
    for heading in headings:
        table.add_column(heading, justify="right", no_wrap=True)
    return table


def time_table(providers: Sequence[ProviderReport], width: int) -> Table:
    """Return measured times; a narrow window loses the spread, never a provider."""
    wide = width >= WIDE_COLUMNS
    spread = ("p20 .. p80", "n") if wide else ()
    table = _table("kernels", "us", *spread, "GB/s", "of copy", "x eager")
    eager = next((p for p in providers if p.name == EAGER), None)
    for provider in providers:
        time = provider.time
        if not isinstance(time, Timing):
            blanks = ["-"] * (len(table.columns) - 3)
            launches = f"{provider.launches.value:.0f}"
            table.add_row(provider.name, launches, *blanks, theme.WRONG_SIGN)
            continue
        speedup = provider.speedup.get(EAGER)
        if provider.refused:
            gain = theme.WRONG_SIGN
        elif speedup:
            gain = f"{speedup.value:.2f}"
        else:
            gain = "1" if provider is eager else "-"
        low, high = microseconds(time.p20), microseconds(time.p80)
        table.add_row(
            provider.name,
            f"{provider.launches.value:.0f}",
            microseconds(time.value),
            *((f"{low} .. {high}", str(time.n)) if wide else ()),
            f"{provider.bandwidth.value:.0f}" if provider.bandwidth else "-",
            f"{provider.of_copy.value:.0f} %" if provider.of_copy else "-",
            gain,
        )
    return table


def count_table(providers: Sequence[ProviderReport], target: str, width: int) -> Table:
    """Return launches and bytes, and the time that the bytes take at least on `target`."""
    heading = f"us on {target}, at least" if width >= WIDE_COLUMNS else "us, at least"
    table = _table("kernels\ncounted", "bytes\ncounted", f"{heading}\npredicted")
    for provider in providers:
        table.add_row(
            provider.name,
            f"{provider.launches.value:.0f}",
            quantity(provider.bytes.value) if provider.bytes else "-",
            microseconds(provider.time.value) if provider.time else "-",
        )
    return table


def bars(providers: Sequence[ProviderReport], floor_us: float, width: int) -> Text:
    """Draw the times as bars to one scale, the floor marked below them."""
    timed = [(p.name, p.time.value) for p in providers if p.time is not None]
    longest = max(value for _, value in timed)
    room = max(10, min(width, 88) - NAME_COLUMNS - 10)
    text = Text()
    for name, value in timed:
        length = max(1, round(room * value / longest))
        text.append(f" {name:<{NAME_COLUMNS}} ")
        text.append(BAR * length, theme.ACCENT)
        text.append(f" {microseconds(value)}\n")
    mark = min(room, round(room * floor_us / longest))
    text.append(" " * (NAME_COLUMNS + 2 + max(0, mark - 1)))
    text.append(FLOOR_SIGN, theme.NOTE)
    text.append(f" floor {microseconds(floor_us)} us", theme.QUIET)
    return text
