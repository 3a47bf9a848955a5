"""`triton-path practice solution`."""

from __future__ import annotations

from typing import Annotated

import typer


def solution(
    exercise: Annotated[
        str | None, typer.Argument(help="An exercise's name; without it, the one you are in.")
    ] = None,
    anyway: Annotated[
        bool, typer.Option("--anyway", help="Before you passed; this is remembered.")
    ] = False,
) -> None:
    """Show the solution beside your own, and why it is as it is; once you passed.

    With --anyway also before: you are then asked to write it again sooner.

    Example: triton-path practice solution vector-add
    """
    from triton_path.cli.setup import course_and_store
    from triton_path.course.load_exercise import load_exercise
    from triton_path.screens.practice import print_solution
    from triton_path.tutor.helping import open_solution, own_program
    from triton_path.tutor.workspace import own_path, which, workspace

    with course_and_store() as (root, course, store):
        model = load_exercise(root, which(course, store, exercise))
        own = own_program(model, own_path(workspace(store), model.id))
        open_solution(model, store, anyway=anyway)
        print_solution(model, own, course, store)
