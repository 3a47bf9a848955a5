"""`triton-path practice watch`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triton_path.tutor.checking import Checker
    from triton_path.tutor.practice_work import Desk, Work


def watch(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[SLUG|FILE]", help="An exercise, or a file of yours; else the last one."
        ),
    ] = None,
    exercise: Annotated[
        str | None, typer.Option(metavar="SLUG", help="The exercise that FILE belongs to.")
    ] = None,
) -> None:
    """Check your kernel now and each time you save it, until you leave.

    Of a file that is as it was given, what the exercise asks for is shown instead.

    Keep it open beside your editor. Keys show hints, the next exercise, a trace, what the compiler
    made of it; they stand at the bottom. Piped, verdicts are printed one below the other. Where a
    file system sends no events, WATCHFILES_FORCE_POLLING=1 looks at the file 20 times a second.

    Example: triton-path practice watch vector-add
    """
    from triton_path.cli.setup import course_and_store
    from triton_path.terminal.interactive import manner
    from triton_path.tutor.checking import Checker
    from triton_path.tutor.practice_work import Desk, Work
    from triton_path.tutor.workspace import find

    with course_and_store() as (root, course, store), Checker() as checker:
        checker.warm_up()
        desk = Desk(root, course, store)
        work = Work(*find(root, course, store, what, exercise=exercise))
        if manner() == "screen":
            _on_screen(desk, work, checker)
        else:
            from triton_path.screens.practice_watch_plain import watch_plain
            from triton_path.terminal.console import plain_console

            typer.echo(f"{work.path.name} is checked at each save. Ctrl-C ends this.", err=True)
            watch_plain(plain_console(), desk, work, checker)


def _on_screen(desk: Desk, work: Work, checker: Checker) -> None:
    from triton_path.screens.practice_watch import PracticeWatch
    from triton_path.screens.window import Window
    from triton_path.terminal.screen import Screen
    from triton_path.tutor.practice_after import farewell

    screen = Screen()
    watching = PracticeWatch(Window(screen), desk, work, checker)
    try:
        with screen:
            watching.run()
    finally:
        typer.echo(farewell(desk.course, desk.store, watching.slug))
