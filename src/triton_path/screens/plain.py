"""A lesson and its questions as text that scrolls: for pipes, for CI, for reading aloud."""

from __future__ import annotations

import sys
from typing import TYPE_CHECKING

from rich.text import Text

from triton_path.course.models import ChoiceQuestion
from triton_path.render import case_study, theme
from triton_path.render import question as question_view
from triton_path.render.blocks import inline
from triton_path.render.lesson import section_parts
from triton_path.render.pages import Part
from triton_path.sandbox import Ended, Output, Worker
from triton_path.screens.demo import TIME_LIMIT_SECONDS, DemoRun
from triton_path.terminal.console import MAX_TEXT_COLUMNS, print_lines
from triton_path.terminal.safe_text import harmless
from triton_path.tutor.asking import shuffled

if TYPE_CHECKING:
    from collections.abc import Iterable, Sequence

    from rich.console import Console, RenderableType

    from triton_path.course.blocks import Demo
    from triton_path.course.models import Lesson
    from triton_path.tutor.reviews import Asked


def print_lesson(console: Console, lesson: Lesson, *, demos: bool) -> None:
    """Print a whole lesson; with `demos`, what each demo prints stands in its place."""
    width = min(console.width, MAX_TEXT_COLUMNS)
    colour = console.color_system is not None and not console.no_color
    _print(console, width, [
        Text(lesson.head.title, theme.TITLE), Text(lesson.head.summary),
    ])  # fmt: skip
    with Worker(interpret=False) as worker:
        if demos:
            worker.start()
        for number, section in enumerate(lesson.sections, start=1):
            _print(console, width, [Text(f"{number}. {section.title}", theme.TITLE)])
            _print(console, width, section_parts(section, None, colour=colour, width=width))
            if demos and section.demo:
                _run_demo(console, worker, section.demo, width)
    _print(console, width, [Text("Questions", theme.TITLE), Text(
        f"{len(lesson.questions)} questions: triton-path quiz {lesson.id}"
    )])  # fmt: skip
    case = lesson.case_study
    _print(console, width, [Text(f"Case study: {case.title}", theme.TITLE)])
    _print(console, width, case_study.situation_parts(case, colour=colour, width=width)[1:])
    for number, question in enumerate(case.questions, start=1):
        _print(console, width, [Text(f"Question {number}", theme.TITLE)])
        parts = case_study.question_parts(question, "", solved=True, colour=colour, width=width)
        _print(console, width, parts)
    _print(console, width, [Text("What you can do now", theme.TITLE)])
    for outcome in lesson.head.outcomes:
        console.print(Text.assemble(f"  {theme.DONE} ", inline(outcome)), width=width)
    console.print()
    _print(console, width, [Text.assemble("Next: ", inline(lesson.head.next_question))])


def _print(console: Console, width: int, parts: Iterable[RenderableType | Part]) -> None:
    for part in parts:
        shown = part.renderable if isinstance(part, Part) else part
        print_lines(console, shown, width)
        console.print()


def _run_demo(console: Console, worker: Worker, demo: Demo, width: int) -> None:
    """Run a demo and print what it prints as it comes."""
    from triton_path.jobs.demo import DemoJob

    console.print(Text(f"  $ python {demo.path.name}", theme.QUIET))
    job = worker.submit(
        DemoJob(path=str(demo.path), columns=width - 2, lines=24), time_limit_s=TIME_LIMIT_SECONDS
    )
    run = DemoRun(demo.path)
    printed = 0
    while run.end is None:
        for event in job.events(wait_s=1.0):
            if isinstance(event, Output):
                run.add(event.data)
            elif isinstance(event, Ended):
                run.end = event
        whole = run.text if run.end else run.text[: run.text.rfind("\n") + 1]
        for line in harmless(whole[printed:]).splitlines():
            sys.stdout.write(f"  {line}\n")
        sys.stdout.flush()
        printed = len(whole)
    console.print(Text(f"  [{run.state.text}]", theme.QUIET))
    console.print()


def print_questions(console: Console, title: str, asked: Sequence[Asked], seed: int) -> None:
    """Print questions with the ids that an answers file uses."""
    width = min(console.width, MAX_TEXT_COLUMNS)
    colour = console.color_system is not None and not console.no_color
    for number, item in enumerate(asked, start=1):
        question = item.question
        console.print(Text.assemble(
            (f"{number}. ", theme.TITLE), (question.id, theme.ACCENT), f"  ({question.kind})"
        ))  # fmt: skip
        print_lines(console, question_view.prompt(question, colour=colour, width=width), width)
        program = question_view.program(question, colour=colour)
        if program is not None:
            print_lines(console, program, width)
        if isinstance(question, ChoiceQuestion):
            for line in question_view.choice_lines(shuffled(question, seed)):
                print_lines(console, line, width)
        else:
            console.print(f"    {question_view.instruction(question)}", width=width)
        console.print()
    console.print(
        f"Answer here: triton-path quiz {title} --answers FILE, a mapping of id to answer.",
        width=width,
    )
