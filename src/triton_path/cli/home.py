"""`triton-path` with no command: the path at a glance."""

from __future__ import annotations

from typing import Annotated

import typer


def _version(wanted: bool) -> None:
    if wanted:
        from triton_path import __version__

        typer.echo(f"triton-path {__version__}")
        raise typer.Exit


def home(
    context: typer.Context,
    version: Annotated[
        bool, typer.Option("--version", callback=_version, is_eager=True, help="Show the version.")
    ] = False,
) -> None:
    """Learn to write Triton GPU kernels, in a terminal, with or without a GPU.

    With no command: the path, what is done, what is due, and the next command.

    Example: triton-path learn
    """
    if context.invoked_subcommand is not None:
        return
    from triton_path.cli.setup import course_and_store
    from triton_path.render.home import home_screen
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor.standing import standing

    with course_and_store() as (root, course, store):
        console = plain_console()
        print_lines(console, home_screen(standing(root, course, store), console.width))
