"""`triton-path progress` and its export, import and reset."""

from __future__ import annotations

from typing import Annotated

import typer

progress = typer.Typer(rich_markup_mode=None)


@progress.callback(invoke_without_command=True)
def show(
    context: typer.Context,
    as_json: Annotated[bool, typer.Option("--json", help="Print it as JSON.")] = False,
) -> None:
    """Show what you did; export, import or reset it.

    Example: triton-path progress --json
    """
    if context.invoked_subcommand is not None:
        return
    from triton_path.cli.setup import course_and_store
    from triton_path.render.home import progress_table
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor.standing import standing, standing_json, streak

    with course_and_store() as (root, course, store):
        now = standing(root, course, store)
        days = store.days_of_practice()
        if as_json:
            typer.echo(standing_json(now, days))
        else:
            print_lines(plain_console(), progress_table(now, len(days), streak(days)))


@progress.command("export")
def export_(
    file: Annotated[str, typer.Argument(help="Where to write; - is stdout.")] = "-",
) -> None:
    """Write all progress as JSON, for a backup or another machine.

    Example: triton-path progress export progress.json
    """
    from triton_path.cli.setup import warn
    from triton_path.paths import data_dir
    from triton_path.progress.exchange import export_json, write_file
    from triton_path.progress.store import open_store

    with open_store(data_dir(), warn) as store:
        text = export_json(store)
    if file == "-":
        typer.echo(text)
    else:
        write_file(file, text)
        typer.echo(f"Written to {file}. Read it back: triton-path progress import {file}")


@progress.command("import")
def import_(
    file: Annotated[str, typer.Argument(help="A file that `export` wrote; - is stdin.")],
) -> None:
    """Add exported progress to what is here; of two records of one thing the later one stays.

    Example: triton-path progress import progress.json
    """
    from triton_path.cli.setup import warn
    from triton_path.paths import data_dir
    from triton_path.progress.exchange import read_export
    from triton_path.progress.store import open_store

    tables = read_export(file)
    with open_store(data_dir(), warn) as store:
        count = store.merge(tables)
    typer.echo(f"{count} new or later records taken over.")


@progress.command()
def reset(
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Begin anew; the old progress is kept beside the new as a backup.

    Example: triton-path progress reset --yes
    """
    import sys

    from triton_path.cli.setup import warn
    from triton_path.errors import UsageFault
    from triton_path.paths import data_dir
    from triton_path.progress.file import set_aside
    from triton_path.progress.store import open_store
    from triton_path.tutor.workspace import SETTING

    with open_store(data_dir(), warn) as store:
        path, empty = store.path, store.is_empty()
        folder = store.setting(SETTING)
    if empty:
        typer.echo("There is no progress to reset.")
        return
    if not yes:
        if not sys.stdin.isatty():
            raise UsageFault("Reset asks first.", "triton-path progress reset --yes")
        if not typer.confirm("Reset all progress? A backup is kept."):
            typer.echo("Nothing was changed.")
            return
    aside = set_aside(path, "reset")
    if folder is not None:  # the learner's kernels lie there all the same
        with open_store(data_dir(), warn) as store:
            store.keep_setting(SETTING, folder)
    typer.echo(f"Reset. The old progress is in {aside}.")
