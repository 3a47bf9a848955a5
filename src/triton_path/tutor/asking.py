"""Asking a question and grading the answer. Pure: no terminal, no store."""

from __future__ import annotations

import math
import random
import re
from dataclasses import dataclass
from typing import Any

from triton_path.course.blocks import Block, Inline, Paragraph, Span, plain_text
from triton_path.course.questions import (
    Choice,
    ChoiceQuestion,
    LineMiss,
    LineQuestion,
    NumberMiss,
    NumberQuestion,
    PredictQuestion,
    Question,
    TextMiss,
    same_output,
)
from triton_path.errors import UsageFault, unknown_name

Answer = str | int | float | tuple[str, ...]
"""A choice id (single), choice ids (multiple), a number, a line number, or an output."""

NUMBER = re.compile(
    r"([-+]?(?:[0-9]{1,3}(?:,[0-9]{3})+|[0-9](?:_?[0-9])*|(?=\.[0-9]))(?:\.[0-9]*)?"
    r"(?:[eE][-+]?[0-9]+)?)"
    r"\s*([^0-9.,_].*)?"
)
"""A number as people write it, and a unit. A comma groups thousands: `1,5` could be two things."""


@dataclass(frozen=True)
class Remark:
    """What is to be said about one answer that can be given."""

    answer: Inline
    correct: bool
    why: Inline
    missed: bool = False
    """Whether it is a right choice that was not among those marked."""


@dataclass(frozen=True)
class Verdict:
    """A graded answer, with everything there is to say about it."""

    question: Question
    chosen: Answer | None
    """None where the question was left out."""
    correct: bool
    about_chosen: tuple[Remark, ...]
    """Remarks on what was chosen."""
    about_right: tuple[Remark, ...]
    """Remarks on right choices that were not chosen."""
    about_others: tuple[Remark, ...]
    """Remarks on the rest, for those who want to know."""
    explanation: tuple[Block, ...]
    """Why the right answer is right, where the question has no choices."""


def any_seed(seed: int | None) -> int:
    """Return `seed`, or a new one where none was asked for."""
    # Not for secrets: the order of a quiz.
    return random.randrange(1 << 31) if seed is None else seed  # noqa: S311


def shuffled(question: ChoiceQuestion, seed: int) -> tuple[Choice, ...]:
    """Return the choices in an order that `seed` fixes."""
    choices = list(question.choices)
    random.Random(f"{seed}/{question.id}").shuffle(choices)  # noqa: S311
    return tuple(choices)


def grade(question: Question, chosen: Answer | None) -> Verdict:
    """Grade an answer as `read_answer` gave it; None is an answer left out."""
    if isinstance(question, ChoiceQuestion):
        return _grade_choices(question, chosen)
    correct = chosen is not None and _is_right(question, chosen)
    misses = [
        Remark((Span(_shown(question, miss.value)),), correct=False, why=miss.why)
        for miss in _misses(question)
    ]
    hit = [] if chosen is None else [
        remark
        for remark, miss in zip(misses, _misses(question), strict=True)
        if not correct and _same(question, miss.value, chosen)
    ]  # fmt: skip
    right = Remark((Span(_shown(question, question.answer)),), correct=True, why=())
    return Verdict(
        question=question,
        chosen=chosen,
        correct=correct,
        about_chosen=(right,) if correct else tuple(hit),
        about_right=() if correct else (right,),
        about_others=tuple(remark for remark in misses if remark not in hit),
        explanation=question.explanation,
    )


def _misses(
    question: NumberQuestion | PredictQuestion | LineQuestion,
) -> tuple[NumberMiss | TextMiss | LineMiss, ...]:
    return question.misses


def _grade_choices(question: ChoiceQuestion, chosen: Answer | None) -> Verdict:
    picked = set(chosen if isinstance(chosen, tuple) else (chosen,))
    several = question.kind == "multiple"
    about_chosen, about_right, about_others = [], [], []
    for choice in question.choices:
        left_out = choice.id not in picked
        missed = several and choice.correct and left_out
        remark = Remark(choice.text, choice.correct, choice.why, missed)
        if not left_out:
            about_chosen.append(remark)
        elif choice.correct:
            about_right.append(remark)
        else:
            about_others.append(remark)
    return Verdict(
        question=question,
        chosen=chosen,
        correct=picked == set(question.right_ids),
        about_chosen=tuple(about_chosen),
        about_right=tuple(about_right),
        about_others=tuple(about_others),
        explanation=(),
    )


def _is_right(question: NumberQuestion | PredictQuestion | LineQuestion, chosen: Answer) -> bool:
    if isinstance(question, LineQuestion):
        return chosen == question.answer
    if isinstance(question, NumberQuestion):
        return isinstance(chosen, int | float) and question.accepts(float(chosen))
    return question.accepts(str(chosen))


def _same(question: Question, expected: float | str, chosen: Answer) -> bool:
    if isinstance(question, PredictQuestion):
        return same_output(str(expected), str(chosen))
    return isinstance(chosen, int | float) and math.isclose(float(expected), chosen, rel_tol=0.01)


def _shown(question: Question, value: float | str) -> str:
    if isinstance(question, NumberQuestion):
        return f"{value:,.12g} {question.unit}".strip()
    return f"line {value}" if isinstance(question, LineQuestion) else str(value)


def read_typed(question: Question, text: str) -> Answer:
    """Read what a person typed for a question without choices. Raises UsageFault."""
    text = text.strip().encode("utf-8", errors="replace").decode()  # JSON has lone surrogates
    if isinstance(question, PredictQuestion):
        if not text:
            raise UsageFault("Type the line that the program prints.")
        return text
    if isinstance(question, LineQuestion):
        text = text.lower().removeprefix("line").strip()  # as the verdict writes it
    match = NUMBER.fullmatch(text)
    value = float(match[1].replace(",", "").replace("_", "")) if match else math.inf
    if match is None or math.isinf(value):
        raise UsageFault("Type a number, such as 12 or 0.5.")
    unit = match[2]
    if isinstance(question, LineQuestion):
        lines = len(question.file.text.splitlines())
        if unit or not value.is_integer() or not 1 <= value <= lines:
            raise UsageFault(f"Type the number of a line, 1 to {lines}.")
        return int(value)
    if isinstance(question, NumberQuestion) and unit and unit != question.unit:
        asked = f"in {question.unit}" if question.unit else "without a unit"
        raise UsageFault(f"Type the number {asked}.")
    return value


def read_answer(question: Question, value: Any) -> Answer:
    """Read an answer from a file: an id, a list of ids, a number or text. Raises UsageFault."""
    if not isinstance(question, ChoiceQuestion):
        if isinstance(value, bool) or not isinstance(value, int | float | str):
            raise UsageFault(f"The answer to '{question.id}' must be a number or text.")
        try:
            return read_typed(question, str(value))
        except (UsageFault, ValueError) as fault:  # ValueError: an integer of too many digits
            raise UsageFault(f"The answer to '{question.id}' does not fit. {fault}") from None
    if question.kind == "single":
        values = value if isinstance(value, list) else [value]
        if len(values) != 1:
            raise UsageFault(f"'{question.id}' takes one choice, not {len(values)}.")
        return _choice_id(question, values[0])
    if not isinstance(value, list):
        value = [value]
    return tuple(_choice_id(question, item) for item in value)


def _choice_id(question: ChoiceQuestion, value: Any) -> str:
    ids = [choice.id for choice in question.choices]
    if value not in ids:
        raise unknown_name(
            f"choice of '{question.id}'", str(value), ids, f"its choices are: {', '.join(ids)}"
        )
    return str(value)


def chosen_text(verdict: Verdict) -> str:
    """Return a typed answer as it is shown; empty where choices were marked, or nothing given."""
    question, chosen = verdict.question, verdict.chosen
    if isinstance(question, ChoiceQuestion) or chosen is None or isinstance(chosen, tuple):
        return ""
    return _shown(question, chosen)


def explanation_text(verdict: Verdict) -> str:
    """Return why the chosen and the right answer are so, as plain text for a script."""
    remarks = [*verdict.about_chosen, *verdict.about_right]
    parts = [plain_text(remark.why) for remark in remarks if remark.why]
    parts += [plain_text(b.inline) for b in verdict.explanation if isinstance(b, Paragraph)]
    return " ".join(parts)


def chosen_json(answer: Answer | None) -> Any:
    """Return an answer as JSON keeps it."""
    return list(answer) if isinstance(answer, tuple) else answer
