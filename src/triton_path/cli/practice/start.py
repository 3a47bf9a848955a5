"""`triton-path practice start`."""

from __future__ import annotations

from typing import Annotated

import typer


def start(
    exercise: Annotated[
        str | None, typer.Argument(help="An exercise's name; without it, the next one.")
    ] = None,
    folder: Annotated[
        str | None,
        typer.Option(
            "--dir",
            metavar="FOLDER",
            help="Where to put it and all later ones; triton-path-exercises here if never said.",
        ),
    ] = None,
    edit: Annotated[
        bool, typer.Option("--edit", "-e", help="Open it in $EDITOR; piped, it is printed.")
    ] = False,
) -> None:
    """Put an exercise into your folder and print it; what you wrote before is left as it is.

    The folder is remembered: later commands work from anywhere.

    Example: triton-path practice start vector-add

    Example: triton-path practice start --dir ~/kernels --edit
    """
    from triton_path.cli.setup import course_and_store
    from triton_path.course.load_exercise import find_exercise, load_exercise
    from triton_path.screens.practice import print_begun
    from triton_path.terminal.interactive import manner
    from triton_path.tutor.beginning import begin
    from triton_path.tutor.practice_standing import exercise_to_start

    with course_and_store() as (root, course, store):
        name = find_exercise(course, exercise) if exercise else exercise_to_start(course, store)
        model = load_exercise(root, name)
        begun = begin(store, model, folder)
    if edit and manner() != "none":
        from triton_path.terminal.editor import open_editor

        open_editor(begun.path)
        print_begun(model, begun, listing=False)
    else:
        print_begun(model, begun, listing=True)
