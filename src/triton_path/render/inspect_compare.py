"""Several builds of one kernel side by side."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.inspect_words import kinds_of, size_text, widths_text

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from rich.console import Console, ConsoleOptions, RenderableType, RenderResult

    from triton_path.jobs.inspect import Compiled, Facts

LABEL_COLUMNS = 17
BUILD_COLUMNS = 19
DIFFERS = "≠"


class Comparison:
    """Tables with as many builds beside one another as the window holds; the first in each."""

    def __init__(self, builds: Sequence[Compiled]) -> None:
        self.builds = builds

    def __rich_console__(self, _: Console, options: ConsoleOptions) -> RenderResult:
        room = max(2, (options.max_width - LABEL_COLUMNS) // BUILD_COLUMNS)
        first, others = self.builds[0], self.builds[1:]
        for start in range(0, max(1, len(others)), room - 1):
            if start:
                yield Text("")
            yield _table([first, *others[start : start + room - 1]])


def comparison(builds: Sequence[Compiled]) -> RenderableType:
    """Return the builds as columns; a row that differs is marked."""
    return Group(Comparison(builds))


def _table(builds: Sequence[Compiled]) -> Table:
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style=theme.TITLE)
    table.add_column("", no_wrap=True)
    for build in builds:
        table.add_column(Text(build.build.label), justify="right", overflow="fold")
    facts = [build.facts for build in builds if build.facts is not None]
    rows: list[tuple[str, list[str]]] = [
        ("num_warps", [str(build.num_warps) for build in builds]),
        ("num_stages", [str(build.num_stages) for build in builds]),
    ]
    rows += [(label, [tell(item) for item in facts]) for label, tell in ROWS]
    kinds = dict.fromkeys(kind for item in facts for kind in kinds_of(item))
    rows += [(f"  {kind}", [str(kinds_of(item)[kind]) for item in facts]) for kind in kinds]
    for label, cells in rows:
        differs = len(set(cells)) > 1
        sign = DIFFERS if differs else " "
        style = "" if differs else theme.QUIET
        table.add_row(Text(f"{sign} {label}", style), *(Text(cell, style) for cell in cells))
    return table


def _or_unknown(value: int | None) -> str:
    return "?" if value is None else str(value)


def _occupancy(facts: Facts) -> str:
    found = facts.occupancy
    return f"{found.warps} of {found.most_warps}" if found else "?"


def _matrix(facts: Facts) -> str:
    names = (f"{item.count} x {item.instruction.split('.')[0]}" for item in facts.tensor_cores)
    return ", ".join(names) or "-"


ROWS: tuple[tuple[str, Callable[[Facts], str]], ...] = (
    ("registers", lambda facts: _or_unknown(facts.registers)),
    ("spilled bytes", lambda facts: _or_unknown(facts.spill_stores)),
    ("shared", lambda facts: size_text(facts.shared_bytes)),
    ("warps that fit", _occupancy),
    ("loads", lambda facts: widths_text(facts.accesses, ("load",))),
    ("async copies", lambda facts: widths_text(facts.accesses, ("async copy", "bulk copy"))),
    ("stores", lambda facts: widths_text(facts.accesses, ("store",))),
    ("matrix", _matrix),
    ("barriers", lambda facts: str(facts.barriers)),
    ("instructions", lambda facts: str(facts.instructions)),
)
