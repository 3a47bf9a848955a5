"""A trace on the terminal: a full screen whose pictures step through programs, or plain text."""

from __future__ import annotations

from bisect import bisect_left
from math import prod
from typing import TYPE_CHECKING

from triton_path.render.trace import report_parts
from triton_path.terminal.console import MAX_TEXT_COLUMNS, plain_console
from triton_path.terminal.interactive import manner
from triton_path.tutor.trace import source_lines

if TYPE_CHECKING:
    from collections.abc import Mapping, Sequence

    from triton_path.jobs.trace import TraceReport
    from triton_path.jobs.watch import LaunchReport
    from triton_path.render.frame import Heading, KeyHelp
    from triton_path.screens.window import Window

KEYS: tuple[KeyHelp, ...] = (
    ("space", "next"),
    ("b", "back"),
    ("n p", "step programs"),
    ("a", "all"),
    ("q", "leave"),
)


def show_trace(report: TraceReport, program: int | None, *, plain: bool) -> None:
    """Show a report: in full screen where the terminal allows it, unless `plain`."""
    sources = source_lines(report)
    if plain or manner() != "screen":
        _print(report, sources, program)
        return
    # Deferred: it needs termios.
    from triton_path.screens.window import Window
    from triton_path.terminal.screen import Screen

    with Screen() as screen:
        _read(Window(screen), report, sources, program)


def _print(report: TraceReport, sources: Mapping[str, Sequence[str]], program: int | None) -> None:
    from triton_path.screens.plain import print_parts

    console = plain_console()
    width = min(console.width, MAX_TEXT_COLUMNS)
    print_parts(console, report_parts(report, sources, width, program))


def _read(
    window: Window,
    report: TraceReport,
    sources: Mapping[str, Sequence[str]],
    program: int | None,
) -> None:
    """Turn pages and step through programs until a key leaves."""
    from triton_path.screens.window import QUIT_KEYS, Move, turn

    programs = programs_of(report.watch.launches)
    page = 0
    while True:
        parts = report_parts(report, sources, window.text_width, program)
        pages = window.pages(parts)
        page = min(page, len(pages) - 1)
        window.draw(_top(report, program, page, len(pages)), pages[page], KEYS)
        key = window.read_key()
        if key in QUIT_KEYS:
            return
        if key in ("n", "p"):
            program = step(program, 1 if key == "n" else -1, programs)
        elif key == "a":
            program = None
        elif key == "home":
            page = 0
        elif key == "end":
            page = len(pages) - 1
        else:
            move, page = turn(key, page, len(pages))
            if move is Move.QUIT:
                return


def programs_of(launches: Sequence[LaunchReport]) -> Sequence[int]:
    """Return what is stepped through: the programs of the largest grid, or those that ran."""
    whole = [prod(launch.grid) for launch in launches if launch.extrapolated is None]
    some = {n for launch in launches if launch.extrapolated for n in launch.extrapolated.ids}
    if not some:
        return range(max(whole, default=1))
    return sorted(some | set(range(max(whole, default=0))))


def step(program: int | None, by: int, programs: Sequence[int]) -> int:
    """Return the program before or after, around the ends; the first or last if none was marked."""
    if program is None:
        return programs[0 if by > 0 else -1]
    place = bisect_left(programs, program)
    if by > 0 and (place == len(programs) or programs[place] != program):
        place -= 1  # it did not run: the next one stands at its place
    return programs[(place + by) % len(programs)]


def _top(report: TraceReport, program: int | None, page: int, pages: int) -> Heading:
    from pathlib import Path

    from triton_path.render import theme
    from triton_path.render.frame import Heading

    marked = f" · program {program}" if program is not None else ""
    title = f"{Path(report.file).name}{marked}"
    found = ""
    if report.faults:
        found = f"{theme.WRONG_SIGN} {report.faults} fault{'s' * (report.faults > 1)} · "
    return Heading("trace", title, f"{found}page {page + 1} of {pages}", f"{page + 1}/{pages}")
