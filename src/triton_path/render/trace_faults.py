"""Faults and advice of a trace: the first as a verdict, the others in a line or two each."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.render import theme

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.jobs.watch import Fault, Place

ADVICE_SIGN = "!"
WORDS = {
    "out-of-bounds-load": "Load out of bounds",
    "out-of-bounds-store": "Store out of bounds",
    "out-of-bounds-atomic": "Atomic out of bounds",
    "read-write-race": "Race: read and write",
    "write-write-race": "Race: two writes",
    "lane-write-race": "Race: lanes of one program",
    "depends-on-masked-lanes": "The result depends on masked lanes",
    "timing-refused": "Stopped here: no times in the interpreter",
}
"""Kinds whose name alone says too little."""
BEFORE = 1
"""Source lines shown before the failing one."""


def verdict(fault: Fault, sources: Mapping[str, Sequence[str]]) -> RenderableType:
    """Return a fault in full: where, what, why it matters, what to try."""
    parts: list[RenderableType] = [title(fault)]
    if fault.place is not None:
        parts += [Text(""), excerpt(fault.place, sources)]
        parts += [_call(call, "called from ") for call in reversed(fault.calls)]
        parts += [_call(other, "and ") for other in fault.others]
    where = who(fault)
    if where:
        parts.append(_indented(Text(where, theme.QUIET)))
    said = f"{fault.sentence} {_repeats(fault)}".rstrip()
    parts += [Text(""), _indented(Text(said)), _indented(Text(fault.why))]
    if fault.remedy:
        parts.append(_indented(Text.assemble(("Try: ", theme.KEY), fault.remedy)))
    return Group(*parts)


def in_short(fault: Fault) -> RenderableType:
    """Return a fault in a line or two."""
    return Group(title(fault), _indented(Text(f"{fault.sentence} {_repeats(fault)}".rstrip())))


def title(fault: Fault) -> RenderableType:
    """Return the sign, the kind of the fault in words, and where it is."""
    advice = is_mild(fault)
    words = name_of(fault) + " (advice)" * (fault.severity == "advice")
    grid = Table.grid(padding=(0, 1), expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True)
    place = fault.place
    where = f"{Path(place.file).name}:{place.line}" if place is not None else fault.kernel
    style = f"bold {theme.NOTE if advice else theme.WRONG}"
    grid.add_row(Text(f" {words}", style), Text(f"{where} ", theme.QUIET))
    return grid


def name_of(fault: Fault) -> str:
    """Return the kind of a fault in words, behind its sign."""
    words = WORDS.get(fault.kind) or fault.kind.replace("-", " ").capitalize()
    return f"{ADVICE_SIGN if is_mild(fault) else theme.WRONG_SIGN} {words}"


def is_mild(fault: Fault) -> bool:
    """Whether it is no fault of the kernel: advice, or times that nobody can give here."""
    return fault.severity == "advice" or fault.kind == "timing-refused"


def excerpt(place: Place, sources: Mapping[str, Sequence[str]]) -> Text:
    """Return the line with the one before it, and a mark under the failing expression."""
    lines = sources.get(place.file, ())
    first = max(1, place.line - BEFORE)
    known = 0 < place.line <= len(lines) and lines[place.line - 1].rstrip() == place.source
    shown = [(n, lines[n - 1]) for n in range(first, place.line)] if known else []
    shown = [(n, text) for n, text in shown if text.strip()]
    shown.append((place.line, place.source))
    margin = min(len(text) - len(text.lstrip()) for _, text in shown)
    result = Text(no_wrap=True, overflow="ellipsis")
    for number, text in shown:
        result.append(f"   {number:>4} │ ", theme.QUIET)
        result.append(f"{text[margin:]}\n")
    if place.column is not None:
        end = place.end_column if place.end_line == place.line else None
        length = max(1, (end or len(place.source)) - place.column)
        result.append("        │ ", theme.QUIET)
        result.append(" " * (place.column - margin))
        result.append("╰" + "─" * (length - 1) + "\n", theme.WRONG)
    result.right_crop(1)
    return result


def who(fault: Fault) -> str:
    """Return program, lane and element as tuples, as a kernel would print them."""
    parts = []
    if fault.program is not None:
        parts.append(f"program {fault.program.id} of grid {fault.program.grid}")
    if fault.other_program is not None:
        parts.append(f"program {fault.other_program.id}")
    lanes = fault.lanes
    if lanes is not None:
        lane = ", ".join(map(str, lanes.lane))
        parts += [f"lane {lane if len(lanes.lane) == 1 else f'({lane})'}"] if lanes.lane else []
        if lanes.index is not None:
            parts.append(f"{lanes.argument}[{', '.join(map(str, lanes.index))}]")
        else:
            parts.append(f"offset {lanes.offset} of {lanes.argument}")
    return " · ".join(parts)


def _call(place: Place, words: str) -> RenderableType:
    text = Text(f"{words}{Path(place.file).name}:{place.line}  ", theme.QUIET)
    text.append(place.source.strip())
    text.no_wrap, text.overflow = True, "ellipsis"
    return _indented(text)


def _repeats(fault: Fault) -> str:
    return f"({fault.times} times in all.)" if fault.times > 1 else ""


def _indented(text: Text) -> RenderableType:
    return Padding(text, (0, 1, 0, 3))
