"""Questions as text that scrolls, with the ids that an answers file uses."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.text import Text

from triton_path.course.questions import ChoiceQuestion
from triton_path.render import question as question_view
from triton_path.render import theme
from triton_path.terminal.console import MAX_TEXT_COLUMNS, has_colour, print_lines
from triton_path.tutor.asking import shuffled

if TYPE_CHECKING:
    from collections.abc import Sequence

    from rich.console import Console

    from triton_path.tutor.reviews import Asked


def print_questions(console: Console, title: str, asked: Sequence[Asked], seed: int) -> None:
    """Print questions with the ids that an answers file uses."""
    width = min(console.width, MAX_TEXT_COLUMNS)
    colour = has_colour(console)
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
            print_lines(console, question_view.choice_ids(shuffled(question, seed)), width)
        else:
            console.print(f"    {question_view.instruction(question)}", width=width)
        console.print()
    how = f"Answer here: triton-path quiz {title} --answers FILE, a mapping of id to answer."
    if title not in {item.lesson_id for item in asked}:
        how = "Answer in a terminal: triton-path quiz --review"
    print_lines(console, Text(how), width)
