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
def check(
    folder: Folder = None,
    run: Annotated[
        bool, typer.Option("--run/--no-run", help="Run the exercises too; or only read the files.")
    ] = True,
    only: Annotated[
        list[str] | None, typer.Option(metavar="SLUG", help="Run this exercise alone.")
    ] = None,
    seeds: Annotated[
        int, typer.Option(min=1, help="Data that each wrong solution must fail with.")
    ] = 1,
) -> None:
    """Check a course folder: every fault of every lesson and exercise, with file, line and field.

    For each exercise it is proved by running that the starter fails, the solution passes, and
    every wrong solution fails with the fault and under the name that exercise.yaml declares.
    Exit code 4 if there are faults.

    Example: triton-path course check content

    Example: triton-path course check --only vector-add --seeds 50
    """
    from pathlib import Path

    from triton_path.cli.waiting import progress_shown
    from triton_path.course.checks import check_course
    from triton_path.course.faults import raise_for
    from triton_path.errors import UsageFault
    from triton_path.paths import content_dir
    from triton_path.tutor.proof import prove

    root = Path(folder) if folder else content_dir()
    if only and not run:
        raise UsageFault("--only names what is run, and --no-run runs nothing.")
    checked = check_course(root)
    raise_for(checked.faults)
    proved = 0
    if run and (checked.exercises or only):
        with progress_shown() as on_progress:
            proved = prove(checked.exercises, only, seeds, on_progress)
    typer.echo(f"{_count(checked.lessons, 'lesson')} checked in {root}: no faults.")
    if checked.exercises:
        files = "files alone" if not proved else f"{_count(proved, 'program')} run"
        typer.echo(f"{_count(len(checked.exercises), 'exercise')} checked, {files}: no faults.")


def _count(number: int, name: str) -> str:
    return f"1 {name}" if number == 1 else f"{number} {name}s"


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
