"""`triton-path practice`: kernel exercises in the learner's own files, one module a command."""

from __future__ import annotations

import typer

from triton_path.cli.practice.check import check
from triton_path.cli.practice.hint import hint
from triton_path.cli.practice.list import list_
from triton_path.cli.practice.reset import reset
from triton_path.cli.practice.show import show
from triton_path.cli.practice.solution import solution
from triton_path.cli.practice.start import start
from triton_path.cli.practice.watch import watch

practice = typer.Typer(rich_markup_mode=None)


@practice.callback(invoke_without_command=True)
def overview(context: typer.Context) -> None:
    """Write kernels in your own files; each is graded without a GPU, and timed with one.

    With no command: list the exercises, what you did, and the next one.

    Example: triton-path practice start
    """
    if context.invoked_subcommand is None:
        list_()


practice.command("list", short_help="List the exercises, with their state.")(list_)
practice.command(short_help="Put an exercise into your folder.")(start)
practice.command(short_help="Show what an exercise asks for.")(show)
practice.command(short_help="Check your kernel.")(check)
practice.command(short_help="Check your kernel each time you save it.")(watch)
practice.command(short_help="Show a hint, one more each time.")(hint)
practice.command(short_help="Show the solution beside yours.")(solution)
practice.command(short_help="Begin an exercise anew; yours is kept.")(reset)
