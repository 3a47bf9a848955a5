"""Lessons and quizzes as lines: each prompt is answered with a line and Enter.

For terminals that cannot move the cursor, for Windows, and for reading aloud: what is printed
stands in the order in which it should be heard.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from triton_path.course.questions import ChoiceQuestion, Question
from triton_path.errors import TutorError, UsageFault
from triton_path.progress.store import Place
from triton_path.render import case_study as case_view
from triton_path.render import question as view
from triton_path.render import theme
from triton_path.render.lesson import end_parts, section_parts
from triton_path.sandbox import Worker
from triton_path.screens.plain import print_parts, run_demo_inline
from triton_path.screens.window import Move
from triton_path.tutor.asking import Answer, grade, read_typed, shuffled
from triton_path.tutor.reviews import count_right, keep_answer, lesson_questions
from triton_path.tutor.steps import Step, lesson_steps, position_of

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from triton_path.course.models import Lesson
    from triton_path.progress.store import Store
    from triton_path.tutor.reviews import Asked


def quiz_by_lines(console: Console, asked: Sequence[Asked], store: Store, seed: int) -> None:
    """Ask all questions in order and print the score."""
    results: dict[str, bool] = {}
    at = 0
    while at < len(asked):
        console.print(Text(f"Question {at + 1} of {len(asked)}", theme.TITLE))
        move, correct = _ask(console, asked[at], store, seed)
        if move is Move.QUIT:
            return
        if correct is not None:
            results[asked[at].key] = correct
        at = max(0, at + (-1 if move is Move.BACK else 1))
    print_parts(console, [view.score_lines(sum(results.values()), len(asked))])


def walk_by_lines(console: Console, lesson: Lesson, store: Store, seed: int) -> None:
    """Walk a lesson from where the learner stands until they leave."""
    steps = lesson_steps(lesson)
    place = store.place(lesson.id)
    at = position_of(steps, place.step) if place else 0
    with Worker(interpret=False) as worker:
        while at < len(steps):
            store.save_place(Place(lesson.id, steps[at].key, 0))
            move = _show(console, lesson, steps[at], store, worker, seed)
            if move is Move.QUIT:
                return
            at = max(0, at + (-1 if move is Move.BACK else 1))


def _show(
    console: Console, lesson: Lesson, step: Step, store: Store, worker: Worker, seed: int
) -> Move:
    if step.kind == "section":
        return _section(console, lesson, step, store, worker)
    if step.kind == "question":
        asked = next(item for item in lesson_questions(lesson) if item.question.id == step.id)
        number = [question.id for question in lesson.questions].index(step.id) + 1
        console.print(Text(f"Question {number} of {len(lesson.questions)}", theme.TITLE))
        return _ask(console, asked, store, seed)[0]
    if step.kind == "score":
        right = count_right(lesson, store)
        print_parts(console, [view.score_lines(right, len(lesson.questions))])
        return _move("Enter: the case study. b: back. q: leave.")
    if step.kind == "situation":
        print_parts(console, case_view.situation_parts(lesson.case_study, colour=False, width=80))
        return _move("Enter: the first question. b: back. q: leave.")
    if step.kind == "case":
        return _case(console, lesson, step, store)
    print_parts(console, end_parts(lesson, count_right(lesson, store)))
    return Move.QUIT


def _section(console: Console, lesson: Lesson, step: Step, store: Store, worker: Worker) -> Move:
    section = lesson.section(step.id)
    demo = section.demo
    if demo:
        worker.warm_up()
    number = lesson.sections.index(section) + 1
    console.print(Text(f"Section {number} of {len(lesson.sections)}: {section.title}\n", "bold"))
    print_parts(console, section_parts(section, None, colour=False, width=console.width))
    run = f" r: run {demo.path.name}." if demo else ""
    while True:
        word = _read_one_of(f"Enter: next.{run} b: back. q: leave.", "r" if demo else "")
        if word == "r" and demo:
            try:
                run_demo_inline(console, worker, demo, console.width)
            except TutorError as fault:
                console.print(f"{fault.message} Next: {fault.hint}")
            continue
        move = _as_move(word)
        if move is Move.NEXT:
            store.mark_read(lesson.id, section.id)
        return move


def _case(console: Console, lesson: Lesson, step: Step, store: Store) -> Move:
    question = next(item for item in lesson.case_study.questions if item.id == step.id)
    before = store.attempt(lesson.id, question.id)
    print_parts(
        console,
        case_view.question_parts(question, before, solved=False, colour=False, width=80),
    )
    written = _read("Your own try (Enter: the solution. q: leave.)")
    if written == "q":
        return Move.QUIT
    if written:
        store.save_attempt(lesson.id, question.id, written)
    print_parts(
        console, case_view.question_parts(question, "", solved=True, colour=False, width=80)[1:]
    )
    return _move("Enter: next. b: back. q: leave.")


def _ask(console: Console, item: Asked, store: Store, seed: int) -> tuple[Move, bool | None]:
    """Ask one question; return where to go and whether it was right, None if it was skipped."""
    question = item.question
    shown = shuffled(question, seed) if isinstance(question, ChoiceQuestion) else ()
    parts = [view.prompt(question, colour=False, width=console.width)]
    program = view.program(question, colour=False)
    if program is not None:
        parts.append(program)
    if isinstance(question, ChoiceQuestion):
        parts.append(view.choices(question, shown, set(), None))
    print_parts(console, parts)
    several = " Several numbers, such as 1 3." if question.kind == "multiple" else ""
    while True:
        word = _read(f"{view.instruction(question)}{several} Enter: skip. b: back. q: leave.")
        if word.lower() in ("", "b", "q"):
            return _as_move(word), None
        try:
            answer = _read_choice(question, [c.id for c in shown], word)
        except UsageFault as fault:
            console.print(fault.message)
            continue
        verdict = grade(question, answer)
        keep_answer(store, item.lesson_id, verdict)
        print_parts(
            console,
            view.verdict_parts(
                verdict, item.section.title, everything=False, colour=False, width=console.width
            ),
        )
        return _move("Enter: next. b: back. q: leave."), verdict.correct


def _read_choice(question: Question, shown: Sequence[str], word: str) -> Answer:
    if not isinstance(question, ChoiceQuestion):
        return read_typed(question, word)
    numbers = word.replace(",", " ").split()
    if not all(n.isdecimal() and 1 <= int(n) <= len(shown) for n in numbers):
        raise UsageFault(f"Type a number from 1 to {len(shown)}.")
    ids = tuple(shown[int(number) - 1] for number in numbers)
    if question.kind == "multiple":
        return ids
    if len(ids) != 1:
        raise UsageFault("Type one number.")
    return ids[0]


def _read(prompt: str) -> str:
    """Ask for a line; the end of input is the wish to leave."""
    try:
        return input(f"{prompt} > ").strip()
    except EOFError:
        return "q"


def _read_one_of(prompt: str, more: str = "") -> str:
    """Ask until the answer is Enter, b, q or one of `more`: a stray word turns no page."""
    while True:
        word = _read(prompt).lower()
        if word in ("", "b", "q", *more):
            return word


def _move(prompt: str) -> Move:
    return _as_move(_read_one_of(prompt))


def _as_move(word: str) -> Move:
    return {"b": Move.BACK, "q": Move.QUIT}.get(word.lower(), Move.NEXT)
