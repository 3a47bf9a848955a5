"""`triton-path doctor`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from triton_path.tutor.doctor.report import Report


def doctor(
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Find out what this machine can do, by doing it, and how to mend what it cannot.

    Packages are imported, a kernel is interpreted and compiled, and run on the GPU if there is
    one; each in a process of its own, so that a broken one costs only its own row. The exit code
    is 3 if something that the course needs is missing or broken, or a GPU is here and fails. A
    machine without a GPU is fine.

    Example: triton-path doctor

    Example: triton-path doctor --json
    """
    from triton_path.errors import ExitCode

    report = _as_json() if as_json else _as_text()
    if report.faults:
        raise typer.Exit(ExitCode.MISSING)


def _as_json() -> Report:
    from triton_path.render.doctor import LiveRows
    from triton_path.terminal.console import plain_console
    from triton_path.tutor.doctor.examine import examine

    # What is being tried goes to stderr, where that is a terminal; the rows are in the JSON.
    with LiveRows(plain_console(stderr=True)) as rows:
        report = examine(lambda _: None, rows.say)
    typer.echo(report.model_dump_json(indent=2, by_alias=True))
    return report


def _as_text() -> Report:
    """Print each row when it is known; on a terminal, say below what is being tried."""
    # At once: what comes next imports Rich and pydantic (0.15 s).
    typer.echo(" triton-path doctor: what works here, found by trying it")
    from triton_path.render.doctor import LiveRows
    from triton_path.terminal.console import plain_console
    from triton_path.tutor.doctor.examine import examine

    with LiveRows(plain_console()) as rows:
        report = examine(rows.add, rows.say)
    rows.end(report)
    return report
