"""Three times of each provider, where they differ: what the host, the gaps and the kernels take."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.table import Table

from triton_path.render import theme
from triton_path.render.bench_tables import NAME_COLUMNS, microseconds

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.jobs.bench import Figure, ProviderReport

THREE_TIMES = (
    "with its launches; as a CUDA graph, which needs no host; its kernels alone, by the profiler; "
    "beside them what the host takes to launch it. us, measured"
)
DIFFER = 1.1
"""Factor between the times of one provider from which they are shown."""


def differ(provider: ProviderReport) -> bool:
    """Tell whether the three times say different things."""
    if provider.bound == "launch":
        return True
    times = [provider.time, provider.graph_time, provider.kernel_time]
    known = [time.value for time in times if time is not None]
    return len(known) > 1 and max(known) > DIFFER * min(known)


def three_times(providers: Sequence[ProviderReport]) -> Table:
    """Return the table of those that were timed."""
    table = Table(box=None, padding=(0, 1), pad_edge=True, header_style=theme.QUIET)
    table.add_column("", min_width=NAME_COLUMNS, no_wrap=True)
    for heading in ("launched", "graph", "kernels", "host"):
        table.add_column(heading, justify="right", no_wrap=True)
    table.add_column("bound", no_wrap=True)
    for provider in providers:
        if provider.time is None:
            continue
        times = (
            provider.time, provider.graph_time, provider.kernel_time, provider.host_time,
        )  # fmt: skip
        table.add_row(provider.name, *map(_cell, times), provider.bound or "-")
    return table


def _cell(time: Figure | None) -> str:
    return "-" if time is None else microseconds(time.value)
