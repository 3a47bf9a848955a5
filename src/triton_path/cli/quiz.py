"""`triton-path quiz`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.progress.store import Store
    from triton_path.tutor.asking import Verdict
    from triton_path.tutor.reviews import Asked


def quiz(
    lesson: Annotated[
        str | None, typer.Argument(help="A lesson's name; without it, the one you are in.")
    ] = None,
    review: Annotated[
        bool, typer.Option("--review", help="Ask what is due for review, from all lessons.")
    ] = False,
    seed: Annotated[
        int | None, typer.Option("--seed", help="Fix the order in which choices are shown.")
    ] = None,
    answers: Annotated[
        str | None,
        typer.Option(
            "--answers",
            metavar="FILE",
            help="Take the answers from a JSON or YAML mapping of question id to answer.",
        ),
    ] = None,
    keep: Annotated[
        bool, typer.Option("--keep", help="With --answers: keep them in your own progress.")
    ] = False,
    as_json: Annotated[
        bool, typer.Option("--json", help="With --answers: print the result as JSON.")
    ] = False,
) -> None:
    """Ask a lesson's questions; every answer is explained, and comes back when it is due.

    Piped, the questions are printed with the ids that an answers file uses. With --answers the
    exit code is 0 if all are right, else 1.

    Example: triton-path quiz introduction

    Example: triton-path quiz introduction --answers answers.yaml --json
    """
    from triton_path.cli.setup import course_and_store
    from triton_path.errors import ExitCode, UsageFault
    from triton_path.tutor.answers import grade_file
    from triton_path.tutor.reviews import due_questions, keep_answer, lesson_questions
    from triton_path.tutor.standing import lesson_to_open

    if answers is None and (as_json or keep):
        raise UsageFault("--json and --keep need --answers.", "triton-path quiz --answers FILE")
    if review and (lesson or answers):
        raise UsageFault("--review takes no lesson and no --answers.", "triton-path quiz --review")
    with course_and_store() as (root, course, store):
        if review:
            asked = due_questions(root, course, store)
            if not asked:
                typer.echo(_nothing_due(store))
                return
            _ask("review", asked, store, seed)
            return
        chosen = lesson_to_open(root, course, store, lesson)
        asked = lesson_questions(chosen)
        if answers is None:
            _ask(chosen.id, asked, store, seed)
        else:
            verdicts = grade_file(answers, asked)
            if keep:
                for verdict in verdicts:
                    keep_answer(store, chosen.id, verdict)
            _report(chosen.id, verdicts, as_json=as_json)
            if not all(verdict.correct for verdict in verdicts):
                raise typer.Exit(ExitCode.WRONG)


def _nothing_due(store: Store) -> str:
    due = store.next_due()
    if due is None:
        return "Nothing to review yet: answer some questions first. Next: triton-path quiz"
    day = due.astimezone().strftime("%A, %d %B")
    return f"Nothing is due. The next review: {day}."


def _ask(title: str, asked: tuple[Asked, ...], store: Store, seed: int | None) -> None:
    from triton_path.terminal.console import plain_console
    from triton_path.terminal.interactive import manner
    from triton_path.tutor.asking import any_seed

    how = manner()
    if how == "screen":
        from triton_path.screens.quiz import run_quiz
        from triton_path.terminal.screen import Screen

        with Screen() as screen:
            run_quiz(screen, title, asked, store, any_seed(seed))
    elif how == "lines":
        from triton_path.screens.lines import quiz_by_lines

        quiz_by_lines(plain_console(), asked, store, any_seed(seed))
    else:
        from triton_path.screens.plain_questions import print_questions

        print_questions(plain_console(), title, asked, any_seed(seed))
        return
    typer.echo("Your answers are kept. What is due comes back: triton-path quiz --review")


def _report(lesson_id: str, verdicts: Sequence[Verdict], *, as_json: bool) -> None:
    from triton_path.render.question import report_lines
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor.answers import report_json

    if as_json:
        typer.echo(report_json(lesson_id, verdicts))
    else:
        print_lines(plain_console(), report_lines(verdicts))
