"""A question, its choices and its verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.course.questions import ChoiceQuestion, LineQuestion, PredictQuestion
from triton_path.render import theme
from triton_path.render.blocks import code, flow, inline
from triton_path.tutor.asking import chosen_text

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence

    from rich.console import RenderableType

    from triton_path.course.questions import Choice, Question
    from triton_path.tutor.asking import Remark, Verdict

INSTRUCTIONS = {
    "single": "Pick one.",
    "multiple": "Pick all that are right.",
    "number": "Type the number.",
    "predict": "Type the line that this program prints.",
    "line": "Type the number of the line at fault.",
}


def prompt(question: Question, *, colour: bool, width: int) -> RenderableType:
    """Return the text of a question."""
    return flow(question.prompt, colour=colour, width=width)


def program(question: Question, *, colour: bool) -> RenderableType | None:
    """Return the program that a question is about, if it is about one."""
    if not isinstance(question, PredictQuestion | LineQuestion):
        return None
    numbered = isinstance(question, LineQuestion)
    text = question.file.text.rstrip("\n")  # blank lines above are counted in the answer
    shown = code(text, question.file.language, colour=colour, numbered=numbered)
    return Padding(shown, (0, 0, 0, 4))


def instruction(question: Question) -> str:
    """Return how to answer, in a sentence."""
    unit = getattr(question, "unit", "")
    return INSTRUCTIONS[question.kind] + (f" Unit: {unit}." if unit else "")


def choices(
    question: ChoiceQuestion, shown: Sequence[Choice], picked: set[str], at: int | None
) -> RenderableType:
    """Return the choices, numbered as keys, with the ones picked and the one at the cursor."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column(no_wrap=True)
    grid.add_column()
    for index, choice in enumerate(shown):
        here = index == at
        box = ""
        if question.kind == "multiple":
            box = "[x]" if choice.id in picked else "[ ]"
        pointer = theme.HERE if here else " "
        label = Text(f"{pointer} {index + 1}", theme.KEY if here else "")
        grid.add_row(label, Text(box), inline(choice.text, "bold" if here else ""))
    return Padding(grid, (0, 0, 0, 2))


def typed_field(text: str, placeholder: str) -> Text:
    """Return the field that an answer is typed into; it says what to type while it is empty."""
    return Text.assemble(("  › ", theme.KEY), text or (placeholder, theme.QUIET))


def verdict_parts(
    verdict: Verdict, section_title: str, *, everything: bool, colour: bool, width: int
) -> Iterator[RenderableType]:
    """Give the parts of a verdict: right or not, why, and the section to read again."""
    yield _outcome(verdict)
    remarks = [*verdict.about_chosen, *verdict.about_right]
    if everything:
        remarks += verdict.about_others
    remarks = [remark for remark in remarks if remark.why]
    if remarks:
        yield _remarks(remarks)
    if verdict.explanation:
        yield flow(verdict.explanation, colour=colour, width=width)
    if not verdict.correct or everything:
        yield Text.assemble("  ", ("Read again: ", theme.QUIET), section_title)


def _outcome(verdict: Verdict) -> Text:
    """Return the line that says right or not; with the right answer, where it was typed."""
    if verdict.correct:
        line = Text(f"  {theme.RIGHT_SIGN} Right", f"bold {theme.RIGHT}")
    elif verdict.chosen is None:
        line = Text("  · Not answered", f"bold {theme.NOTE}")
    else:
        line = Text(f"  {theme.WRONG_SIGN} Not quite", f"bold {theme.WRONG}")
        given = chosen_text(verdict)
        line.append(f": {given}" if given else "", "not bold default")
    if verdict.explanation:
        right = [*verdict.about_chosen, *verdict.about_right]
        answer = next(remark.answer for remark in right if remark.correct)
        line.append(": " if verdict.correct else ". The answer is ", "not bold default")
        line.append_text(inline(answer, "bold"))
    return line


def _remarks(remarks: Sequence[Remark]) -> RenderableType:
    grid = Table.grid(padding=(0, 1))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for remark in remarks:
        sign = theme.RIGHT_SIGN if remark.correct else theme.WRONG_SIGN
        style = theme.RIGHT if remark.correct else theme.WRONG
        text = inline(remark.answer, "bold")
        if remark.missed:
            text.append(" (right, and not marked)", theme.NOTE)
        if remark.why:
            text = Text.assemble(text, (" · ", theme.QUIET), inline(remark.why))
        grid.add_row(Text(sign, style), text)
    return Padding(grid, (0, 0, 0, 2))


def choice_ids(shown: Sequence[Choice]) -> RenderableType:
    """Return the choices for output that scrolls, with the ids that an answers file uses."""
    grid = Table.grid(padding=(0, 2))
    grid.add_column(no_wrap=True)
    grid.add_column()
    for choice in shown:
        grid.add_row(Text(choice.id, theme.ACCENT), inline(choice.text))
    return Padding(grid, (0, 0, 0, 4))


def score_lines(right: int, total: int) -> Text:
    """Return the score with a bar."""
    filled = round(20 * right / total) if total else 0
    return Text.assemble(
        f"  {right} of {total} right  ",
        ("█" * filled, theme.RIGHT),
        ("░" * (20 - filled), theme.QUIET),
    )


def score_parts(total: int, missed_sections: Sequence[str], skipped: int) -> list[RenderableType]:
    """Return the score, which sections to read again, and how many questions were skipped."""
    right = total - len(missed_sections) - skipped
    parts: list[RenderableType] = [score_lines(right, total)]
    if not missed_sections and not skipped:
        parts.append(Text("  All right. They come back for review before you would forget them."))
    if missed_sections:
        grid = Table.grid(padding=(0, 2))
        grid.add_column()
        grid.add_column(justify="right", no_wrap=True)
        for title in dict.fromkeys(missed_sections):
            grid.add_row(title, _questions(missed_sections.count(title)))
        parts.append(Text("  Missed, with the section to read again:"))
        parts.append(Padding(grid, (0, 0, 0, 4)))
    if skipped:
        parts.append(Text(f"  Not answered: {_questions(skipped)}."))
    return parts


def _questions(count: int) -> str:
    return "1 question" if count == 1 else f"{count} questions"


def report_lines(verdicts: Sequence[Verdict]) -> RenderableType:
    """Return a graded answers file: a line for each question, the score last."""
    parts: list[RenderableType] = []
    for verdict in verdicts:
        sign = theme.RIGHT_SIGN if verdict.correct else theme.WRONG_SIGN
        style = theme.RIGHT if verdict.correct else theme.WRONG
        left_out = "" if verdict.chosen is not None else "  (left out)"
        parts.append(Text.assemble((sign, style), f" {verdict.question.id}{left_out}"))
        if not verdict.correct:
            remarks = [*verdict.about_chosen, *verdict.about_right]
            parts.append(_remarks(remarks))
            if verdict.explanation:
                parts.append(flow(verdict.explanation, colour=False, width=80))
    parts.append(score_lines(sum(verdict.correct for verdict in verdicts), len(verdicts)))
    return Group(*parts)
