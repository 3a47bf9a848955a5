"""`triton-path bench lies`."""

from __future__ import annotations

import typer

from triton_path.cli.waiting import progress_shown


def show_lies(name: str | None, *, as_json: bool) -> None:
    """Make public mistakes of benches happen: all in a table, or the story of the one `name`.

    The exit code is 1 if one of them could not be run for a reason of our own.
    """
    from triton_path.course.lies import load_stories
    from triton_path.errors import ExitCode
    from triton_path.paths import content_dir
    from triton_path.render.lies import render_story, render_table
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor import lies as tutor

    names = tutor.parse_name(name)
    stories = load_stories(content_dir())
    with progress_shown() as on_progress:
        report = tutor.run_lies(names, stories, on_progress)
    if as_json:
        typer.echo(report.model_dump_json(indent=2, by_alias=True))
    else:
        console = plain_console()
        render = render_table if name is None else render_story
        print_lines(console, render(report, stories, console.width))
    if any(lie.state == "failed" for lie in report.lies):
        raise typer.Exit(ExitCode.WRONG)
