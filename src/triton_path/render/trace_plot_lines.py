"""The bytes of each source line in a figure."""

from __future__ import annotations

from typing import TYPE_CHECKING

from matplotlib.patches import Patch

from triton_path.render.trace_lines import expression_of
from triton_path.render.trace_words import about, bytes_text, notes_of

if TYPE_CHECKING:
    from matplotlib.axes import Axes

    from triton_path.jobs.watch import LaunchReport, LineCount

MOST_LINES = 10
MOST_CHARACTERS, MOST_WORDS = 76, 54
LOOKS = {"load": ("#9ecae1", ""), "store": ("#fdd0a2", "///"), "atomic": ("#dadaeb", "xxx")}
Row = tuple["LineCount", int]
"""A line and its bytes, extrapolated where few programs ran."""


def rows_of(launch: LaunchReport) -> list[Row]:
    """Return the lines that move most, in the order of the source."""
    whole = launch.extrapolated
    rows = [
        (line, line.bytes_used if whole is None else whole.lines[place].bytes_used)
        for place, line in enumerate(launch.lines)
    ]
    kept = sorted(range(len(rows)), key=lambda n: -rows[n][1])[:MOST_LINES]
    return [rows[n] for n in sorted(kept)]


def draw_lines(axes: Axes, launch: LaunchReport, rows: list[Row]) -> None:
    """Draw a bar for each of `rows`, with its source above it."""
    left_out = len(launch.lines) - len(rows)
    most = f", the {len(rows)} largest of {len(launch.lines)}" if left_out else ""
    how = ", extrapolated" if launch.extrapolated is not None else ""
    axes.set_title(f"bytes of each line{how}{most}")
    axes.set_yticks([])
    axes.spines["left"].set_visible(False)
    axes.spines["bottom"].set_visible(False)
    axes.set_xticks([])
    if not rows:
        axes.text(0, 0.5, "No line touched memory.")
        return
    largest = max(1, *(moved for _, moved in rows))
    for place, (line, moved) in enumerate(rows):
        colour, hatch = LOOKS[line.access]
        bar = place + 0.22
        axes.barh(bar, moved, height=0.36, color=colour, edgecolor="0.45", hatch=hatch)
        source = expression_of(line, launch)
        if len(source) > MOST_CHARACTERS:
            source = f"{source[: MOST_CHARACTERS - 3]}..."
        head = f"{line.place.line:>4}  {source}"
        words = _figures(line, moved, launch)
        shown = [
            axes.text(0, place - 0.2, head, family="monospace", fontsize=8, va="center"),
            axes.text(moved + 0.03 * largest, bar, words, fontsize=8, va="center"),
        ]
        for text in shown:
            text.set_in_layout(False)  # else the axes shrink to make room for the longest
    axes.set_xlim(0, 2.3 * largest)  # room for the words behind the bars
    axes.set_ylim(len(rows) - 0.4, -0.5)
    kinds = dict.fromkeys(line.access for line, _ in rows)
    axes.legend(
        handles=[
            Patch(facecolor=LOOKS[kind][0], hatch=LOOKS[kind][1], edgecolor="0.45", label=kind)
            for kind in kinds
        ],
        loc="lower right",
        bbox_to_anchor=(1.0, 1.0),
        borderaxespad=0.0,
        ncols=3,
        fontsize=8,
        frameon=False,
    )


def _figures(line: LineCount, moved: int, launch: LaunchReport) -> str:
    words = [f"{about(launch)}{bytes_text(moved)}"]
    if line.sector_efficiency is not None:
        words.append(f"sectors {100 * line.sector_efficiency:.0f} %")
    words += [note.partition(",")[0].partition(":")[0] for note in notes_of(line, launch)[:1]]
    text = ", ".join(words)
    return text if len(text) <= MOST_WORDS else f"{text[: MOST_WORDS - 3]}..."
