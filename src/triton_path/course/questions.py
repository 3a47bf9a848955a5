"""The kinds of questions: what quiz.yaml may ask."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from triton_path.course.fields import Check, Line, Number, Slug, between, unique_ids
from triton_path.course.files import SourceFile
from triton_path.course.rich_fields import Model, RichLine, RichText

if TYPE_CHECKING:
    from collections.abc import Sequence


def _refuse_right(values: Sequence[float | str]) -> None:
    """Refuse a miss that would count as the right answer."""
    if values:
        raise ValueError(f"the miss {values[0]} is a right answer")


@dataclass(frozen=True, kw_only=True)
class Choice(Model):
    """One choice of a question."""

    id: Slug
    text: RichLine
    correct: bool = False
    why: RichLine
    """Why it is right, or what would be true if it were."""


@dataclass(frozen=True, kw_only=True)
class QuestionBase(Model):
    """What every kind of question has."""

    id: Slug
    section: Slug
    """The section to read again."""
    prompt: RichText


@dataclass(frozen=True, kw_only=True)
class ChoiceQuestion(QuestionBase):
    """Pick one choice (single) or all that are right (multiple)."""

    kind: Literal["single", "multiple"]
    choices: Annotated[tuple[Choice, ...], Check(unique_ids)]

    def __post_init__(self) -> None:
        right = len(self.right_ids)
        if self.kind == "single" and right != 1:
            raise ValueError(f"a single-choice question has one correct choice, not {right}")
        if right == 0:
            raise ValueError("no choice is correct")
        if len(self.choices) < 2:
            raise ValueError("a question has two choices at least")

    @property
    def right_ids(self) -> tuple[str, ...]:
        """Ids of the correct choices, in the order of the file."""
        return tuple(choice.id for choice in self.choices if choice.correct)


@dataclass(frozen=True, kw_only=True)
class NumberMiss(Model):
    """A wrong number that people really give."""

    value: Number
    why: RichLine


@dataclass(frozen=True, kw_only=True)
class NumberQuestion(QuestionBase):
    """Work out a number."""

    kind: Literal["number"]
    answer: Number
    tolerance: Annotated[float, between(0)] | None = None
    """Largest absolute difference that is right; exact where neither tolerance is given."""
    relative: Annotated[float, between(0, 1)] | None = None
    """Largest difference as a share of the answer."""
    unit: str = ""
    explanation: RichText
    misses: tuple[NumberMiss, ...] = ()

    def __post_init__(self) -> None:
        if self.tolerance is not None and self.relative is not None:
            raise ValueError("give 'tolerance' or 'relative', not both")
        _refuse_right([miss.value for miss in self.misses if self.accepts(miss.value)])

    def accepts(self, value: float) -> bool:
        """Whether `value` is near enough to the answer."""
        band = self.tolerance or (self.relative or 0.0) * abs(self.answer)
        # The slack is for rounding: 0.4 is within 0.1 of 0.3.
        return abs(value - self.answer) <= band + 1e-12 * abs(self.answer)


@dataclass(frozen=True, kw_only=True)
class TextMiss(Model):
    """A wrong output that people really expect."""

    value: Line
    why: RichLine


def same_output(one: str, other: str) -> bool:
    """Whether two outputs are the same but for white space, or are the same number."""
    if one.split() == other.split():
        return True
    try:
        return float(one) == float(other)
    except ValueError:
        return False


@dataclass(frozen=True, kw_only=True)
class PredictQuestion(QuestionBase):
    """Say what a program prints."""

    kind: Literal["predict"]
    file: SourceFile
    answer: Line
    """The one line that it prints; white space is collapsed before it is compared."""
    explanation: RichText
    misses: tuple[TextMiss, ...] = ()

    def __post_init__(self) -> None:
        _refuse_right([miss.value for miss in self.misses if self.accepts(miss.value)])

    def accepts(self, text: str) -> bool:
        """Whether `text` is what the program prints; 8 will do for 8.0, as white space will."""
        return same_output(text, self.answer)


@dataclass(frozen=True, kw_only=True)
class LineMiss(Model):
    """A line that is not at fault but is often named."""

    value: Annotated[int, between(1)]
    why: RichLine


@dataclass(frozen=True, kw_only=True)
class LineQuestion(QuestionBase):
    """Name the line at fault."""

    kind: Literal["line"]
    file: SourceFile
    answer: Annotated[int, between(1)]
    """Number of the line, from 1."""
    explanation: RichText
    misses: tuple[LineMiss, ...] = ()

    def __post_init__(self) -> None:
        most = max(self.answer, *(miss.value for miss in self.misses), 1)
        if most > len(self.file.text.splitlines()):
            raise ValueError(f"{self.file.path.name} has no line {most}")
        _refuse_right([miss.value for miss in self.misses if miss.value == self.answer])


Question = ChoiceQuestion | NumberQuestion | PredictQuestion | LineQuestion
