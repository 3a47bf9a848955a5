"""The facts of a compiled kernel in words."""

from __future__ import annotations

from collections import Counter
from typing import TYPE_CHECKING

from rich.table import Table
from rich.text import Text

from triton_path.render import theme

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from triton_path.jobs.inspect import Access, Facts, Occupancy

WIDEST = 128
"""Bits that one thread moves at best in one instruction of most targets."""
UNKNOWN = "not known"


def registers_text(facts: Facts) -> str:
    """Return registers and spills of a thread."""
    if facts.registers is None:
        return UNKNOWN
    if facts.spill_stores is None:
        spills = "spills not known"
    elif facts.spill_stores or facts.spill_loads:
        spills = f"spills {facts.spill_stores} bytes, loads back {facts.spill_loads}"
    else:
        spills = "no spills"
    return f"{facts.registers} a thread, {spills}"


def size_text(value: int) -> str:
    """Return a size of shared memory: bytes below a KiB."""
    if not value:
        return "none"
    return f"{value} bytes" if value % 1024 and value < 10240 else f"{value / 1024:.4g} KiB"


def shared_text(facts: Facts) -> Text:
    """Return the shared memory of a program against its limit."""
    fits = facts.shared_bytes <= facts.shared_limit
    text = f"{size_text(facts.shared_bytes)} of {size_text(facts.shared_limit)} a program"
    if fits:
        return Text(text)
    return Text(f"{theme.WRONG_SIGN} {text}: it will not launch", theme.WRONG)


def occupancy_text(occupancy: Occupancy) -> str:
    """Return what fits on a multiprocessor and what limits it."""
    share = 100 * occupancy.warps / occupancy.most_warps
    plural = "" if occupancy.programs == 1 else "s"
    return (
        f"{share:.0f} %: {occupancy.warps} of {occupancy.most_warps} warps, "
        f"{occupancy.programs} program{plural} at once; limited by {occupancy.limiter}"
    )


def matrix_text(facts: Facts) -> str:
    """Return the tensor-core instructions."""
    if facts.tensor_cores:
        return ", ".join(f"{item.count} x {item.instruction}" for item in facts.tensor_cores)
    return "none, in spite of tl.dot" if facts.dots else "none: no tl.dot"


def pipelining_text(facts: Facts) -> str:
    """Return how loads run ahead of their use, and the tiles in shared memory."""
    parts = []
    if facts.async_copies:
        parts.append(f"{facts.async_copies} asynchronous copies (cp.async)")
    if facts.bulk_copies:
        parts.append(f"{facts.bulk_copies} bulk copies (TMA)")
    if not parts:
        parts.append("no asynchronous copies")
    if facts.buffers:
        shown = Counter(facts.buffers)
        tiles = (f"{buffer} ({n} times)" if n > 1 else buffer for buffer, n in shown.items())
        parts.append(f"in shared memory: {', '.join(tiles)}")
    return "; ".join(parts)


def code_text(facts: Facts) -> str:
    """Return the number of instructions, and how many of which kind."""
    if not facts.instructions:
        return UNKNOWN
    return f"{facts.instructions} instructions: {kinds_text(kinds_of(facts))}"


def kinds_of(facts: Facts) -> Counter[str]:
    """Return how many instructions of each kind there are."""
    return Counter(facts.kinds)


def kinds_text(kinds: Counter[str] | dict[str, int]) -> str:
    """Return counts of kinds, the most frequent first."""
    return ", ".join(f"{count} {kind}" for kind, count in Counter(kinds).most_common())


def access_text(access: Access) -> str:
    """Return what an access moves: `2 loads of 16 bytes`."""
    word = "copy" if access.operation.endswith("copy") else access.operation
    plural = word if access.count == 1 else {"copy": "copies"}.get(word, f"{word}s")
    kind = access.operation.removesuffix("copy").removesuffix(word)
    if not access.bits:
        return f"{access.count} bulk {plural} of tiles"
    size = f"{access.bits // 8} byte{'s' if access.bits > 8 else ''}"
    return f"{access.count} {kind}{plural} of {size}"


def access_rows(accesses: Sequence[Access]) -> Table:
    """Return the accesses of global memory beside their source lines."""
    grid = Table.grid(padding=(0, 1), expand=True)
    width = max(16, *(len(access_text(access)) for access in accesses))
    grid.add_column(justify="right", no_wrap=True, width=5)
    grid.add_column(no_wrap=True, width=width)
    grid.add_column(no_wrap=True, overflow="ellipsis", ratio=1)
    grid.add_row(
        Text("line", theme.QUIET),
        Text("one thread moves", theme.QUIET),
        Text("global memory", theme.QUIET),
    )
    for access in accesses:
        place = access.place
        narrow = 0 < access.bits < WIDEST and access.operation != "atomic"
        grid.add_row(
            str(place.line) if place else "?",
            Text(access_text(access), theme.NOTE if narrow else ""),
            Text(place.source.strip() if place else "no line is known"),
        )
    return grid


def widths_text(accesses: Iterable[Access], operations: tuple[str, ...]) -> str:
    """Return how many accesses there are of each size: `4 x 16 B, 2 x 4 B`."""
    found: Counter[int] = Counter()
    for access in accesses:
        if access.operation in operations:
            found[access.bits // 8] += access.count
    parts = [f"{n} x {size} B" if size else f"{n} bulk" for size, n in sorted(found.items())]
    return ", ".join(reversed(parts)) or "-"
