"""What was counted in words: sizes, arguments, and what stands out at a line."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING

from triton_path.tutor.trace_words import itemsize

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.jobs.watch import ArgumentCount, LaunchReport, LineCount

SECTOR = 32
ABOUT = "~"
SHORT = {"float": "fp", "bfloat": "bf", "int": "i", "uint": "u", "float8": "fp8"}


def bytes_text(count: float) -> str:
    """Return a size in decimal units, as datasheets have them: `400 B`, `1.2 KB`."""
    if count < 1000:
        return f"{count:.0f} B"
    for unit in ("KB", "MB", "GB"):
        count /= 1000
        if count < 999.5:
            return f"{count:.3g} {unit}"
    return f"{count / 1000:.3g} TB"


def number_text(value: float) -> str:
    """Return a number of three digits, or of as many as stand before its point."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def flops_text(count: float) -> str:
    """Return a number of operations: `4.19 MFLOP`."""
    for unit in ("FLOP", "kFLOP", "MFLOP", "GFLOP"):
        if count < 999.5:
            return f"{count:.3g} {unit}"
        count /= 1000
    return f"{count:.3g} TFLOP"


def dtype_text(dtype: str) -> str:
    """Return Triton's short name of a dtype: `fp32`, `i64`."""
    if dtype.startswith("float8"):
        return dtype
    for long, short in SHORT.items():
        if dtype.startswith(long) and dtype[len(long) :].isdigit():
            return short + dtype[len(long) :]
    return dtype


def argument_text(argument: ArgumentCount) -> str:
    """Return name, dtype, shape, and strides where the elements do not lie one after another."""
    shape = f"{argument.name} {dtype_text(argument.dtype)}[{', '.join(map(str, argument.shape))}]"
    dense = 1
    for size, stride in zip(reversed(argument.shape), reversed(argument.strides), strict=True):
        if size > 1 and stride != dense:
            return f"{shape} strides ({', '.join(map(str, argument.strides))})"
        dense *= size
    return shape


def moved(launch: LaunchReport) -> int:
    """Return the bytes that active lanes asked for: loaded, stored and changed atomically.

    Extrapolated to the whole grid where few programs ran.
    """
    counted = launch.arguments if launch.extrapolated is None else launch.extrapolated.arguments
    return sum(a.loaded_bytes + a.stored_bytes + a.atomic_bytes for a in counted)


def about(launch: LaunchReport) -> str:
    """Return the sign that stands before each extrapolated figure; none where all is counted."""
    return ABOUT if launch.extrapolated is not None else ""


def values_text(launch: LaunchReport) -> str:
    """Return scalars and then constexprs of a launch as Python has them."""
    scalars = [f"{value.name}={value.text}" for value in launch.values if not value.constant]
    constants = [f"{value.name}={value.text}" for value in launch.values if value.constant]
    words = [", ".join(scalars)] if scalars else []
    if constants:
        words.append(f"constexpr {', '.join(constants)}")
    return " · ".join(words)


def notes_of(line: LineCount, launch: LaunchReport) -> list[str]:
    """Return what stands out at a line, the costliest first; empty where nothing does."""
    argument = next(a for a in launch.arguments if a.name == line.argument)
    found = [_pattern(line, itemsize(argument.dtype))]
    # How often an element is read is not known where few programs ran.
    times = argument.redundancy if launch.extrapolated is None else None
    if line.access == "load" and times is not None and times >= 1.5:
        loads = [other for other in launch.lines if (other.argument, other.access) ==
                 (line.argument, line.access)]  # fmt: skip
        subject = "each element" if len(loads) == 1 else f"{line.argument}"
        found.append(f"{subject} read {_times(times)}")
    share = line.active_lanes / line.lanes if line.lanes else 1.0
    if share < 0.75:
        found.append(f"mask off in {100 * (1 - share):.0f} % of lanes")
    return [words for words in found if words]


def _pattern(line: LineCount, size: int) -> str:
    """Return how lanes lie in memory, where that leaves much of each sector unused.

    A block smaller than a sector cannot fill one, however it lies.
    """
    used = line.sector_efficiency
    if used is None or used >= 0.8 or line.active_lanes <= line.executions:
        return ""
    block = line.lanes * size / line.executions
    best = block / (ceil(block / SECTOR) * SECTOR)
    if used >= 0.8 * best:
        return f"a block has {block:.0f} B, a sector {SECTOR} B"
    far = abs(line.stride or 0)
    stride = f"stride {far} elements" if far > 1 else ""
    if used <= 1.05 * size / SECTOR:
        uncoalesced = f"uncoalesced: a sector of {SECTOR} B for each {size} B"
        return f"{stride}, {uncoalesced}" if stride else uncoalesced
    if stride:
        return stride
    return "irregular lanes, partly used sectors" if line.stride is None else "partly used sectors"


def _times(value: float) -> str:
    near = round(value)
    count = str(near) if abs(value - near) < 0.05 else f"{value:.1f}"
    return "twice" if count == "2" else f"{count} times"


def grid_text(grid: Sequence[int]) -> str:
    """Return a grid as Python has it."""
    return f"({', '.join(map(str, grid))})"
