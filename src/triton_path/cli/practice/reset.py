"""`triton-path practice reset`."""

from __future__ import annotations

from typing import Annotated

import typer


def reset(
    exercise: Annotated[str, typer.Argument(help="An exercise's name.")],
) -> None:
    """Begin an exercise anew: its starter is put back, and what you wrote is kept beside.

    Hints begin anew too; what you passed stays passed. This is also how an exercise that is due
    is done once more.

    Example: triton-path practice reset vector-add
    """
    from triton_path.cli.setup import course_and_store
    from triton_path.course.load_exercise import load_exercise
    from triton_path.screens.practice import print_begun_anew
    from triton_path.tutor.beginning import begin_anew
    from triton_path.tutor.workspace import which

    with course_and_store() as (root, course, store):
        model = load_exercise(root, which(course, store, exercise))
        print_begun_anew(model, begin_anew(store, model))
