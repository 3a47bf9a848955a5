"""`triton-path practice hint`."""

from __future__ import annotations

from typing import Annotated

import typer


def hint(
    exercise: Annotated[
        str | None, typer.Argument(help="An exercise's name; without it, the one you are in.")
    ] = None,
    seen: Annotated[
        bool, typer.Option("--seen", help="Show those that you saw already, and no more.")
    ] = False,
) -> None:
    """Show a hint: first a nudge, then the idea, then the lines; one more each time.

    Example: triton-path practice hint vector-add
    """
    from triton_path.cli.setup import course_and_store
    from triton_path.course.load_exercise import load_exercise
    from triton_path.screens.practice import print_hints
    from triton_path.tutor.helping import next_hint, seen_hints
    from triton_path.tutor.workspace import which

    with course_and_store() as (root, course, store):
        model = load_exercise(root, which(course, store, exercise))
        one = None if seen else next_hint(model, store)
        print_hints(model, (one,) if one else seen_hints(model, store), more=one is not None)
