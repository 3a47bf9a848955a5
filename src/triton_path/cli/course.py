"""`triton-path course`, for authors."""

from __future__ import annotations

from typing import Annotated

import typer

course = typer.Typer(rich_markup_mode=None, help="For authors: check and list a course.")

Folder = Annotated[
    str | None, typer.Argument(help="A course folder; without it, the one that is in use.")
]


@course.callback(invoke_without_command=True)
def show(context: typer.Context) -> None:
    """For authors: check and list a course. With no command: list it.

    Example: triton-path course check content
    """
    if context.invoked_subcommand is None:
        list_(None)


@course.command(short_help="Check a course folder.")
def check(folder: Folder = None) -> None:
    """Check a course folder: every fault of every lesson, with file, line and field.

    Runs no code. Exit code 4 if there are faults.

    Example: triton-path course check content
    """
    from pathlib import Path

    from triton_path.course.checks import check_course
    from triton_path.course.faults import raise_for
    from triton_path.paths import content_dir

    root = Path(folder) if folder else content_dir()
    checked, faults = check_course(root)
    raise_for(faults)
    lessons = "1 lesson" if checked == 1 else f"{checked} lessons"
    typer.echo(f"{lessons} checked in {root}: no faults.")


@course.command("list", short_help="List the lessons of a course.")
def list_(folder: Folder = None) -> None:
    """List the lessons of a course, with what is written and what is planned.

    Example: triton-path course list
    """
    from pathlib import Path

    from triton_path.course.loader import load_course
    from triton_path.paths import content_dir

    outline = load_course(Path(folder) if folder else content_dir())
    for number, stage in enumerate(outline.stages, start=1):
        typer.echo(f"{number} {stage.title}")
        for lesson in stage.lessons:
            planned = "" if lesson.ready else "  (planned)"
            typer.echo(f"    {lesson.id:<24} {lesson.title}{planned}")
