"""`practice watch` where there is no full screen: each verdict is printed below the one before."""

from __future__ import annotations

import time
from datetime import datetime
from typing import TYPE_CHECKING

from rich.padding import Padding
from rich.text import Text

from triton_path.errors import TutorError
from triton_path.render.practice_exercise import specification
from triton_path.render.verdict import head, verdict_parts
from triton_path.screens.plain import print_parts
from triton_path.screens.practice_views import fault_view, trouble_view
from triton_path.terminal.console import MAX_TEXT_COLUMNS, print_lines
from triton_path.tutor.checking import Cancelled
from triton_path.tutor.own_files import is_starter, shown
from triton_path.tutor.practice_after import keep, source_lines
from triton_path.tutor.saves import PATIENT_SECONDS, Saves

if TYPE_CHECKING:
    from rich.console import Console, RenderableType

    from triton_path.tutor.checking import Checker
    from triton_path.tutor.practice_work import Desk, Work


def watch_plain(console: Console, desk: Desk, work: Work, checker: Checker) -> None:
    """Print a verdict now and at every save, until Ctrl-C."""
    with Saves(work.path) as saves:
        state = saves.state
        while True:
            console.rule(f"{datetime.now():%H:%M:%S}", align="left", characters="-")
            if state.kind == "ready" and is_starter(work.exercise, work.path):
                print_parts(console, _starter(work, min(console.width, MAX_TEXT_COLUMNS)))
            elif state.kind == "ready":
                _print_verdict(console, desk, work, checker, saves)
            else:
                print_parts(console, trouble_view(state, work).draw(console.width, False))
            console.file.flush()
            state = saves.wait()


def _starter(work: Work, width: int) -> list[RenderableType]:
    """Return what the exercise asks for, in place of a verdict on what was given."""
    said = f"{shown(work.path)} is as it was given. Save your first change, and it is checked."
    return [Padding(Text(said, overflow="fold"), (0, 1, 0, 1)), specification(work.exercise, width)]


def _print_verdict(
    console: Console, desk: Desk, work: Work, checker: Checker, saves: Saves
) -> None:
    """Check once and print what came of it, a fault of this machine too."""
    width, began = min(console.width, MAX_TEXT_COLUMNS), time.monotonic()

    def is_old() -> bool:
        return saves.pending and time.monotonic() - began > PATIENT_SECONDS

    try:
        verdict = checker.check(work.exercise, work.path, time_it=False, cancelled=is_old)
    except Cancelled:
        return
    except TutorError as fault:
        print_parts(console, fault_view(fault).draw(width, False))
        return
    after = keep(desk.course, desk.store, work.exercise, verdict)
    print_lines(console, head(verdict, width))
    print_parts(console, verdict_parts(verdict, after, source_lines(verdict), width))
