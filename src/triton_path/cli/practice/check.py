"""`triton-path practice check`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from triton_path.cli.waiting import progress_shown

if TYPE_CHECKING:
    from triton_path.errors import MissingFault
    from triton_path.jobs.practice import Verdict
    from triton_path.tutor.practice_after import After


def check(
    what: Annotated[
        str | None,
        typer.Argument(
            metavar="[SLUG|FILE]", help="An exercise, or a file of yours; else the last one."
        ),
    ] = None,
    everything: Annotated[
        bool, typer.Option("--all", help="Check every exercise that you have begun.")
    ] = False,
    exercise: Annotated[
        str | None, typer.Option(metavar="SLUG", help="The exercise that FILE belongs to.")
    ] = None,
    seed: Annotated[
        int | None,
        typer.Option(metavar="N", min=0, help="Repeat a check: the same sizes and values."),
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the verdict as JSON.")] = False,
) -> None:
    """Check your kernel: whether it is right in every case, and what is wrong if not.

    It runs in Triton's interpreter under a memory watch, and is compiled; no GPU is needed. On a
    GPU it is run there too and timed. The exit code is 0 if it passes, else 1.

    Example: triton-path practice check

    Example: triton-path practice check vector-add --json
    """
    from triton_path.cli.setup import warn
    from triton_path.errors import ExitCode, UsageFault

    if not everything:
        passed, unkept = _check_one(what, exercise, seed, as_json=as_json)
    elif what or exercise:
        raise UsageFault("--all takes no exercise.", "triton-path practice check --all")
    else:
        passed, unkept = _check_all(seed, as_json=as_json)
    if unkept is not None and passed:
        raise unkept
    if unkept is not None:
        warn(f"{unkept.message}\n  Next: {unkept.hint}")
    if not passed:
        raise typer.Exit(ExitCode.WRONG)


def _check_one(
    what: str | None, slug: str | None, seed: int | None, *, as_json: bool
) -> tuple[bool, MissingFault | None]:
    """Return whether it passed, and why that was not kept."""
    from dataclasses import replace

    from triton_path.cli.setup import course_and_store
    from triton_path.tutor.checking import Checker
    from triton_path.tutor.practice_after import keep
    from triton_path.tutor.workspace import find

    with course_and_store() as (root, course, store):
        exercise, path = find(root, course, store, what, exercise=slug)
        with Checker() as checker, progress_shown() as on_progress:
            verdict = checker.check(exercise, path, seed=seed, on_progress=on_progress)
        after = keep(course, store, exercise, verdict)
    if as_json:
        typer.echo(verdict.model_dump_json(indent=2, by_alias=True))
    else:
        _print(verdict, replace(after, unkept=None))  # said last, beside the exit code
    return verdict.passed, after.unkept


def _print(verdict: Verdict, after: After) -> None:
    from triton_path.render.verdict import head, verdict_parts
    from triton_path.screens.plain import print_parts
    from triton_path.terminal.console import MAX_TEXT_COLUMNS, plain_console, print_lines
    from triton_path.tutor.practice_after import source_lines

    console = plain_console()
    width = min(console.width, MAX_TEXT_COLUMNS)
    print_lines(console, head(verdict, width))
    print_parts(console, verdict_parts(verdict, after, source_lines(verdict), width))


def _check_all(seed: int | None, *, as_json: bool) -> tuple[bool, MissingFault | None]:
    """Return whether all passed, and why a verdict was not kept."""
    from triton_path.cli.setup import course_and_store
    from triton_path.render.verdict import in_a_line, score
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor.checking import Checker
    from triton_path.tutor.practice_after import keep
    from triton_path.tutor.practice_all import all_json, own_exercises

    console, verdicts, unkept = plain_console(), [], None
    with course_and_store() as (root, course, store), Checker() as checker:
        for exercise, path in own_exercises(root, course, store):
            with progress_shown() as on_progress:
                verdict = checker.check(exercise, path, seed=seed, on_progress=on_progress)
            unkept = keep(course, store, exercise, verdict).unkept or unkept
            verdicts.append(verdict)
            if not as_json:
                print_lines(console, in_a_line(verdict))
    if as_json:
        typer.echo(all_json(verdicts))
    else:
        print_lines(console, score(verdicts, console.width))
    return all(verdict.passed for verdict in verdicts), unkept
