"""`triton-path learn`."""

from __future__ import annotations

from typing import Annotated

import typer


def learn(
    lesson: Annotated[
        str | None, typer.Argument(help="A lesson's name; without it, the one you are in.")
    ] = None,
    plain: Annotated[
        bool, typer.Option("--plain", help="Print the whole lesson as text; no keys, no prompts.")
    ] = False,
    demos: Annotated[
        bool, typer.Option("--demos", help="With --plain or piped: run the demos where they stand.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Fix the order in which choices are shown.")
    ] = None,
) -> None:
    """Walk through a lesson: read, run its demos, answer its questions, solve its case study.

    Keys are shown at the bottom. Your place is kept at every step: leave with q and come back
    with `triton-path learn`. Piped, or with --plain, the lesson is printed whole.

    Example: triton-path learn introduction
    """
    from triton_path.terminal.interactive import manner

    if plain or demos or manner() == "none":
        _print(lesson, demos=demos)
    else:
        _walk(lesson, seed)


def _print(lesson_id: str | None, *, demos: bool) -> None:
    """Print a lesson; the store is opened only to learn which, and never written."""
    from triton_path.course.loader import find_lesson, load_course, load_lesson
    from triton_path.paths import content_dir
    from triton_path.screens.plain import print_lesson
    from triton_path.terminal.console import plain_console

    if lesson_id is None:
        from triton_path.cli.setup import course_and_store
        from triton_path.tutor.standing import lesson_to_open

        with course_and_store() as (root, course, store):
            lesson = lesson_to_open(root, course, store, None)
    else:
        root = content_dir()
        lesson = load_lesson(root, find_lesson(load_course(root), lesson_id))
    print_lesson(plain_console(), lesson, demos=demos)


def _walk(lesson_id: str | None, seed: int | None) -> None:
    from triton_path.cli.setup import course_and_store
    from triton_path.terminal.interactive import manner
    from triton_path.tutor.asking import any_seed
    from triton_path.tutor.standing import farewell, lesson_to_open, standing

    with course_and_store() as (root, course, store):
        lesson = lesson_to_open(root, course, store, lesson_id)
        try:
            if manner() == "screen":
                from triton_path.screens.lesson import walk_lesson
                from triton_path.terminal.screen import Screen

                with Screen() as screen:
                    walk_lesson(screen, lesson, store, any_seed(seed))
            else:
                from triton_path.screens.lines import walk_by_lines
                from triton_path.terminal.console import plain_console

                walk_by_lines(plain_console(), lesson, store, any_seed(seed))
        finally:
            now = standing(root, course, store)
            typer.echo(farewell(now, lesson.id))
