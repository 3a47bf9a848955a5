"""`triton-path practice show`."""

from __future__ import annotations

from typing import Annotated

import typer


def show(
    exercise: Annotated[
        str | None, typer.Argument(help="An exercise's name; without it, the one you are in.")
    ] = None,
) -> None:
    """Show what an exercise asks for; the same text stands at the top of its file.

    Example: triton-path practice show vector-add
    """
    from triton_path.cli.setup import course_and_store
    from triton_path.course.load_exercise import load_exercise
    from triton_path.screens.practice import print_specification
    from triton_path.tutor.workspace import which

    with course_and_store() as (root, course, store):
        model = load_exercise(root, which(course, store, exercise, or_next=True))
        print_specification(model, course, store)
