"""A trace as it is read: launches with their pictures and lines, faults, and what the file said."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.pages import Part
from triton_path.render.trace_faults import in_short, name_of, verdict
from triton_path.render.trace_lines import line_table
from triton_path.render.trace_owners import id_text
from triton_path.render.trace_picture import has_run, pictures, touched_nothing
from triton_path.render.trace_roofline import roofline_line, target_text
from triton_path.render.trace_words import (
    ABOUT,
    about,
    argument_text,
    bytes_text,
    grid_text,
    moved,
    values_text,
)
from triton_path.terminal.safe_text import harmless
from triton_path.tutor.trace_words import too_large_text

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.jobs.trace import TraceReport
    from triton_path.jobs.watch import Fault, LaunchReport

MOST_LAUNCHES = 8
"""Different launches that are shown; the rest is said to be there."""
BASIS = (
    "Bytes, sectors (32 B, of 32 lanes at a time: a model) and owners are counted in Triton's "
    "interpreter, faults found there; the roofline is predicted. Nothing is measured."
)


def report_parts(
    report: TraceReport,
    sources: Mapping[str, Sequence[str]],
    width: int,
    program: int | None = None,
) -> list[Part]:
    """Return the whole report in parts that a page should not cut.

    `sources` has the lines of the files; with `program` the pictures mark its part.
    """
    parts = []
    groups = alike(report.watch.launches)
    for number, times in groups[:MOST_LAUNCHES]:
        parts += launch_parts(report, number, times, width, program)
    if len(groups) > MOST_LAUNCHES:
        more = f" and {len(groups) - MOST_LAUNCHES} more different launches: --json has them all"
        parts.append(Part(Text(more, theme.QUIET)))
    parts += fault_parts(report, sources)
    parts += [Part(part) for part in _ran(report)]
    parts.append(Part(_labelled("target", target_text(report.target))))
    parts.append(Part(_labelled("basis", Text(BASIS, theme.QUIET)), splits=True))
    return parts


def alike(launches: Sequence[LaunchReport]) -> list[tuple[int, int]]:
    """Return the first of each set of launches that did the same, and how many these are."""
    found: list[tuple[LaunchReport, int, int]] = []
    for number, launch in enumerate(launches):
        bare = launch.model_copy(update={"ownership": ()})
        for place, (first, at, times) in enumerate(found):
            if first == bare:
                found[place] = (first, at, times + 1)
                break
        else:
            found.append((bare, number, 1))
    return [(at, times) for _, at, times in found]


def launch_parts(
    report: TraceReport, number: int, times: int, width: int, program: int | None
) -> list[Part]:
    """Return heading, picture, lines and roofline of one launch."""
    launch = report.watch.launches[number]
    top: list[RenderableType] = [_heading(launch, times), _arguments(launch, width)]
    faults = [fault for fault in report.watch.faults if fault.launch == number]
    values = values_text(launch)
    if values:
        top.append(Padding(Text(values, theme.QUIET), (0, 1, 0, 3)))
    if launch.stopped_by is not None:
        fault = report.watch.faults[launch.stopped_by]
        top.append(Text(f" {theme.WRONG_SIGN} {_stopped(launch, fault)}", theme.WRONG))
    top += [_labelled("part", Text(text, theme.NOTE)) for text in _in_part(launch)]
    top += [_labelled("note", Text(note, theme.QUIET)) for note in launch.notes]
    drawn = pictures(launch, width, program)
    if program is not None and not (drawn and has_run(launch, program)):
        top.append(Text(f" {touched_nothing(launch, program)}", theme.QUIET))
    parts = [Part(Group(*top, *drawn[:1]))]
    parts += [Part(each) for each in drawn[1:]]
    if launch.lines:
        parts.append(Part(line_table(launch, faults)))
        parts.append(Part(_labelled("roofline", roofline_line(report, number))))
    return parts


def _stopped(launch: LaunchReport, fault: Fault) -> str:
    program = f"in program {id_text(fault.program.linear, launch.grid)} " if fault.program else ""
    line = f"at line {fault.place.line}" if fault.place else ""
    kind = name_of(fault).partition(" ")[2]
    return f"stopped {program}{line} ({kind}): counted up to there"


def _in_part(launch: LaunchReport) -> list[str]:
    """Say that only some programs of the grid ran, if so, and what follows for the figures."""
    whole = launch.extrapolated
    if whole is None:
        return []
    reason = ", more take too long" if whole.chosen == "for time" else ""
    return [
        f"counted in {whole.programs} of {whole.grid_programs} programs{reason}; figures with "
        f"{ABOUT} are extrapolated to the whole grid"
    ]


def _heading(launch: LaunchReport, times: int) -> Table:
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1, no_wrap=True, overflow="ellipsis")
    grid.add_column(justify="right", no_wrap=True)
    repeated = f" · {times} launches alike" if times > 1 else ""
    place = f"{Path(launch.place.file).name}:{launch.place.line}"
    size = f"{about(launch)}{bytes_text(moved(launch))} moved "
    left = Text.assemble(
        " ", (launch.kernel, theme.TITLE), f"  grid {grid_text(launch.grid)}",
        (f" · {place}{repeated}", theme.QUIET),
    )  # fmt: skip
    grid.add_row(left, Text(size, theme.ACCENT))
    return grid


def _arguments(launch: LaunchReport, width: int) -> Text:
    """Return the tensors, those that were stored to behind an arrow; none is cut in two."""
    stored = [a for a in launch.arguments if a.stored_bytes or a.atomic_bytes]
    words = [argument_text(a) for a in launch.arguments if a not in stored]
    words += [f"{'→ ' * (n == 0)}{argument_text(a)}" for n, a in enumerate(stored)]
    lines = [""]
    for word in words:
        if lines[-1] and len(lines[-1]) + len(word) + 4 > width:
            lines.append("")
        lines[-1] += f" {word}" if lines[-1] else f"   {word}"
    return Text("\n".join(lines), overflow="fold")


def fault_parts(report: TraceReport, sources: Mapping[str, Sequence[str]]) -> list[Part]:
    """Return what was found, faults before advice; the first in full."""
    refused = [fault for fault in report.watch.faults if fault.kind == "timing-refused"]
    found = [fault for fault in report.watch.faults if fault.kind != "timing-refused"]
    found.sort(key=lambda fault: fault.severity == "advice")
    parts = []
    if not found:
        parts.append(Part(_labelled(theme.RIGHT_SIGN, _clean(report), 2, theme.RIGHT)))
    for number, fault in enumerate(found):
        if number == 0 or _stops(fault, report):
            parts.append(Part(verdict(fault, sources)))
        else:
            parts.append(Part(in_short(fault)))
    parts += [Part(in_short(fault)) for fault in refused]
    if report.faults_elsewhere:
        some = report.faults_elsewhere
        more = f" {some} fault{'s' * (some > 1)} of other kernels: leave --kernel out to see"
        parts.append(Part(Text(more, theme.NOTE)))
    return parts


def _stops(fault: Fault, report: TraceReport) -> bool:
    """Whether this fault ended the file: without it the rest was not seen, so it is told whole."""
    return fault.launch == report.stopped_launch and fault is report.watch.faults[-1]


def _clean(report: TraceReport) -> str:
    checks = ["bounds", "races", "32-bit offsets"]
    if not report.in_part:
        checks.append("unwritten elements")
    if report.everything:
        checks += ["masked lanes"] if report.in_part else ["order of programs", "masked lanes"]
    where = "in the programs that ran" if report.in_part else "at these sizes"
    return f"nothing wrong found {where} ({', '.join(checks)})"


def _ran(report: TraceReport) -> list[RenderableType]:
    ran = report.ran
    parts: list[RenderableType] = []
    name = Path(report.file).name
    if ran.stopped:
        parts.append(_labelled("note", f"{name} was stopped there: later launches were not run."))
    if ran.out_of_time:
        text = "stopped after its time: later launches were not run. Smaller sizes show the same."
        parts.append(_labelled("note", Text(f"{name} was {text}", theme.NOTE)))
    if ran.too_large is not None:
        parts.append(_labelled("note", Text(too_large_text(ran.too_large, name), theme.NOTE)))
    if ran.raised and report.in_part:
        text = "what it raised may follow from programs that were not run: their results lack."
        parts.append(_labelled("note", Text(text, theme.NOTE)))
    if ran.raised:
        parts.append(Text(f" {theme.WRONG_SIGN} {name} raised", f"bold {theme.WRONG}"))
        parts.append(Text.from_ansi(harmless(ran.raised)))
    if ran.printed:
        shown = len(ran.printed)
        of = f", the last {shown} of {ran.printed_lines} lines" if shown < ran.printed_lines else ""
        head = Text(f" {name} printed{of} (times in it mean nothing here)", theme.QUIET)
        body = [Text(f"   {harmless(line)}", no_wrap=True, overflow="ellipsis")
                for line in ran.printed]  # fmt: skip
        parts.append(Group(head, *body))
    return parts


def _labelled(label: str, text: Text | str, width: int = 9, style: str = theme.KEY) -> Table:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=width, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(f" {label}", style), text if isinstance(text, Text) else Text(text))
    return grid
