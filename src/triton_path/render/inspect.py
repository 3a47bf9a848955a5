"""What the compiler made of a kernel, as it is read: the summary, and why it was rejected."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.render import theme
from triton_path.render.inspect_compare import comparison
from triton_path.render.inspect_measured import measured_lines, measured_table
from triton_path.render.inspect_words import (
    access_rows,
    code_text,
    matrix_text,
    occupancy_text,
    pipelining_text,
    registers_text,
    shared_text,
)

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.inspect import Compiled, Facts, InspectReport, Place, Rejection

LABEL_COLUMNS = 13
BASIS = "counted in the code; occupancy is predicted, nothing is measured"
BASIS_WITH_GPU = "counted in the code; occupancy is predicted; only what says so is measured"


def render_report(report: InspectReport, where: str) -> RenderableType:
    """Return the summary, or the comparison where there are several builds.

    `where` is the FILE:KERNEL of the command that shows more.
    """
    parts: list[RenderableType] = [heading(report), *_launch(report)]
    accepted = [build for build in report.builds if build.facts is not None]
    if len(report.builds) == 1 and accepted:
        assert accepted[0].facts is not None
        parts += [Text(""), *_facts(accepted[0].facts)]
    elif accepted:
        parts += [Text(""), comparison(accepted)]
    for build in report.builds:
        if build.rejection is not None:
            label = build.build.label if len(report.builds) > 1 else build.build.target
            parts += [Text(""), rejected(build.rejection, label)]
    parts += _measured(report)
    parts += _remarks(report)
    if accepted:
        basis = BASIS if report.measured is None else BASIS_WITH_GPU
        parts += [Text(""), line("basis", Text(basis, theme.QUIET))]
    if len(report.builds) == 1 and accepted:
        parts.append(line("Next", _next(report, where)))
    return Group(*parts)


def heading(report: InspectReport) -> RenderableType:
    """Return the line with the kernel at the left and what compiled it at the right."""
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right", no_wrap=True)
    place = f"{Path(report.defined.file).name}:{report.defined.line}" if report.defined else ""
    targets = dict.fromkeys(build.build.target for build in report.builds)
    left = Text.assemble(" ", (report.kernel, theme.TITLE), f"  {place}")
    right = Text(f"{' and '.join(targets)} · Triton {report.triton} ", theme.ACCENT)
    grid.add_row(left, right)
    return grid


def line(label: str, text: Text | str) -> RenderableType:
    """Return a labelled line that wraps under its own text."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=LABEL_COLUMNS, no_wrap=True)
    grid.add_column(overflow="fold")
    grid.add_row(Text(f" {label}", theme.KEY), text if isinstance(text, Text) else Text(text))
    return grid


def _launch(report: InspectReport) -> list[RenderableType]:
    launch, first = report.launch, report.builds[0]
    parts = []
    if launch.grid is not None:
        parts.append(f"grid {' x '.join(map(str, launch.grid))}")
    if first.num_warps is not None:
        parts += [f"{first.num_warps} warps", f"{first.num_stages} stages"]
    parts.append(f"found {launch.found}" if launch.found.startswith("by") else launch.found)
    if launch.of > 1:
        parts.append(f"{launch.number} of {launch.of} distinct (--launch)")
    if launch.configurations > 1:
        parts.append(f"the first of {launch.configurations} autotune configurations")
    arguments = Text()
    for number, argument in enumerate(launch.arguments):
        separator = ", " if number else ""
        arguments.append(f"{separator}{argument.name} ", theme.QUIET)
        arguments.append(argument.text.replace(" ", "\N{NO-BREAK SPACE}"))
        if argument.specialised.startswith("16"):
            arguments.append("\N{NO-BREAK SPACE}÷16", theme.ACCENT)
    return [line("launch", ", ".join(parts)), line("", arguments)]


def _facts(facts: Facts) -> list[RenderableType]:
    parts = [
        line("registers", registers_text(facts)),
        line("shared", shared_text(facts)),
    ]
    occupancy = facts.occupancy
    if occupancy is not None:
        parts.append(line("occupancy", occupancy_text(occupancy)))
        parts.append(line("", Text(f"{occupancy.formula}\n{occupancy.source}", theme.QUIET)))
    parts += [line("tensor cores", matrix_text(facts)), line("pipelining", pipelining_text(facts))]
    parts.append(line("barriers", f"{facts.barriers} for the whole program"))
    parts.append(line("code", code_text(facts)))
    if facts.accesses:
        parts += [Text(""), access_rows(facts.accesses)]
    return parts


def _measured(report: InspectReport) -> list[RenderableType]:
    lines = measured_lines(report)
    if not lines:
        return []
    parts: list[RenderableType] = [Text(""), line("measured", lines[0])]
    parts += [line("", text) for text in lines[1:]]
    if report.measured is not None and len(report.measured.builds) > 1:
        parts += [Text(""), measured_table(report.measured)]
    return parts


def rejected(rejection: Rejection, label: str) -> RenderableType:
    """Return why the compiler does not take the kernel, at the line where it stopped."""
    title = f" {theme.WRONG_SIGN} The compiler rejects this kernel ({label})"
    parts: list[RenderableType] = [Text(title, theme.WRONG)]
    parts += [_source(call, None, "called from ") for call in rejection.called_from]
    if rejection.place is not None:
        parts.append(_source(rejection.place, rejection.column, ""))
    parts.append(line("says", rejection.message))
    if rejection.hint:
        parts.append(line("instead", rejection.hint))
    return Group(*parts)


def _source(place: Place, column: int | None, prefix: str) -> RenderableType:
    text = Text(f"   {prefix}{Path(place.file).name}:{place.line}\n", theme.QUIET)
    number = f"   {place.line:>4} │ "
    text.append(number, theme.QUIET)
    text.append(place.source)
    if column is not None:
        text.append(f"\n{' ' * (len(number) - 2)}│ ", theme.QUIET)
        text.append(" " * column + "^", theme.WRONG)
    text.no_wrap, text.overflow = True, "ellipsis"
    return text


def _remarks(report: InspectReport) -> list[RenderableType]:
    parts: list[RenderableType] = []
    several = len(report.builds) > 1
    for build in report.builds:
        prefix = f"{build.build.label}: " if several else ""
        parts += [line("look at", Text(prefix + text, theme.NOTE)) for text in build.advice]
        parts += [line("note", prefix + text) for text in build.notes]
    parts += [line("note", Text(note, theme.QUIET)) for note in report.notes]
    return [Text(""), *parts] if parts else []


def _next(report: InspectReport, where: str) -> Text:
    first: Compiled = report.builds[0]
    listing = "amdgcn" if first.build.target.startswith("gfx") else "sass"
    warps = 8 if first.num_warps != 8 else 4
    options = ("--lines", f"--show {listing}", f"--against num_warps={warps}")
    return Text.assemble(f"triton-path inspect {where} ", (" | ".join(options), theme.ACCENT))
