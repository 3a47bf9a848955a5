"""`triton-path practice list`."""

from __future__ import annotations

from enum import Enum
from typing import Annotated

import typer


class Wanted(str, Enum):
    """What an exercise can be asked to be."""

    new = "new"
    started = "started"
    passed = "passed"
    due = "due"


def list_(
    words: Annotated[
        list[str] | None, typer.Argument(help="Show those whose name, title or text has all these.")
    ] = None,
    state: Annotated[
        Wanted | None, typer.Option("--state", help="Show those of one state.")
    ] = None,
    lesson: Annotated[
        str | None, typer.Option("--lesson", metavar="NAME", help="Show those of one lesson.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print them as JSON.")] = False,
) -> None:
    """List the exercises by lesson: which you passed, with how many stars; what comes next.

    Example: triton-path practice list softmax

    Example: triton-path practice list --state due
    """
    from triton_path.cli.setup import course_and_store
    from triton_path.course.load_exercise import load_heads
    from triton_path.tutor.practice_listing import chosen, listing_json, next_steps, none_text
    from triton_path.tutor.practice_standing import practice_standing

    with course_and_store() as (root, course, store):
        standing = practice_standing(course, load_heads(root, course), store)
        wanted = state.value if state else None
        shown = chosen(standing, course, words or (), state=wanted, lesson=lesson)
        if as_json:
            typer.echo(listing_json(standing, shown, store))
            return
        from triton_path.render.practice import exercise_list
        from triton_path.terminal.console import plain_console, print_lines

        console = plain_console()
        steps = next_steps(standing, course, store)
        none = none_text(standing, words or (), state=wanted, lesson=lesson)
        print_lines(console, exercise_list(standing, shown, steps, console.width, none))
