"""A lesson as text that scrolls: for pipes, for CI, for reading aloud."""

from __future__ import annotations

import contextlib
from typing import TYPE_CHECKING

from rich.text import Text

from triton_path.course.blocks import Bullets, Demo
from triton_path.render import case_study, theme
from triton_path.render.blocks import inline, part
from triton_path.render.pages import Part
from triton_path.terminal.console import MAX_TEXT_COLUMNS, has_colour, print_lines

if TYPE_CHECKING:
    from collections.abc import Iterable

    from rich.console import Console, RenderableType

    from triton_path.course.models import Lesson
    from triton_path.sandbox import Worker


def print_lesson(console: Console, lesson: Lesson, *, demos: bool) -> None:
    """Print a whole lesson; with `demos`, what each demo prints stands in its place."""
    width = min(console.width, MAX_TEXT_COLUMNS)
    colour = has_colour(console)

    def title(text: str) -> None:
        print_parts(console, [Text(text, theme.TITLE)])

    title(lesson.head.title)
    print_parts(console, [Text(lesson.head.summary)])
    with _demo_worker() if demos else contextlib.nullcontext() as worker:
        for number, section in enumerate(lesson.sections, start=1):
            title(f"{number}. {section.title}")
            for block in section.blocks:
                print_parts(console, [part(block, colour=colour, width=width)])
                if worker and isinstance(block, Demo):
                    run_demo_inline(console, worker, block, width)
    title("Questions")
    print_parts(console, [f"{len(lesson.questions)} questions: triton-path quiz {lesson.id}"])
    case = lesson.case_study
    title(f"Case study: {case.title}")
    print_parts(console, case_study.situation_parts(case, colour=colour, width=width)[1:])
    for number, question in enumerate(case.questions, start=1):
        title(f"Question {number}")
        parts = case_study.question_parts(question, "", solved=True, colour=colour, width=width)
        print_parts(console, parts)
    title("What you can do now")
    print_parts(
        console, [part(Bullets(lesson.head.outcomes, ordered=False), colour=colour, width=width)]
    )
    print_parts(console, [Text.assemble("Next: ", inline(lesson.head.next_question))])


def _demo_worker() -> Worker:
    """Return a worker that warms up while the first section is printed."""
    from triton_path.sandbox import Worker

    worker = Worker(interpret=False)
    worker.start()
    return worker


def print_parts(
    console: Console, parts: Iterable[RenderableType | Part], width: int | None = None
) -> None:
    """Print parts one below another, an empty line after each; at most as wide as text is."""
    width = width or min(console.width, MAX_TEXT_COLUMNS)
    for item in parts:
        print_lines(console, item.renderable if isinstance(item, Part) else item, width)
        console.print()


def run_demo_inline(console: Console, worker: Worker, demo: Demo, width: int) -> None:
    """Run a demo and print what it prints as it comes."""
    # Deferred, 20 ms: a lesson is mostly printed without its demos.
    from triton_path.jobs.demo import DemoJob
    from triton_path.sandbox import Ended, Output
    from triton_path.screens.demo import TIME_LIMIT_SECONDS, DemoRun
    from triton_path.terminal.safe_text import harmless

    console.print(Text(f"  $ python {demo.path.name}", theme.QUIET))
    job = worker.submit(
        DemoJob(path=str(demo.path), columns=width - 2, lines=24), time_limit_s=TIME_LIMIT_SECONDS
    )
    run = DemoRun(demo.path)
    while run.end is None:
        for event in job.events(wait_s=1.0):
            if isinstance(event, Output):
                run.add(event.data)
            elif isinstance(event, Ended):
                run.end = event
        whole, _, rest = run.text.rpartition("\n") if run.end is None else (run.text, "", "")
        for line in harmless(whole).splitlines():
            console.file.write(f"  {line}\n")
        console.file.flush()
        run.text = rest
    console.print(Text(f"  [{run.state.text}]", theme.QUIET))
    console.print()
