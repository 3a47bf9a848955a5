"""The models of a course: what its YAML files may say, and the lesson put together from them.

Plain dataclasses: `reading` validates files into them, and a cache brings them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, ClassVar, Literal

from triton_path.course.blocks import Block, Demo, Inline
from triton_path.course.fields import STRICT, Check, Line, Number, Reads, Slug, between, unique_ids
from triton_path.course.files import SourceFile

if TYPE_CHECKING:
    from collections.abc import Sequence
    from pathlib import Path


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be text")
    return value


def _inline(value: Any, _context: Any) -> Inline:
    from triton_path.course.markdown import read_inline

    return read_inline(_text(value))


def _blocks(value: Any, _context: Any) -> tuple[Block, ...]:
    from triton_path.course.markdown import read_blocks

    return read_blocks(_text(value))


RichLine = Annotated[Inline, Reads(_inline)]
"""One line of Markdown in the file, what it says in the model."""

RichText = Annotated[tuple[Block, ...], Reads(_blocks)]
"""Markdown in the file, what it says in the model."""


def _refuse_right(values: Sequence[float | str]) -> None:
    """Refuse a miss that would count as the right answer."""
    if values:
        raise ValueError(f"the miss {values[0]} is a right answer")


class Model:
    """A part of a course file; unknown fields are faults."""

    __pydantic_config__: ClassVar = STRICT


@dataclass(frozen=True, kw_only=True)
class LessonEntry(Model):
    """A lesson's place in the path."""

    id: Slug
    title: Line
    status: Literal["ready", "planned"]
    """A planned lesson is shown greyed and not counted."""
    folder: str | None = None
    """The lesson's folder below the course's; a ready lesson must have one."""

    def __post_init__(self) -> None:
        if self.status == "ready" and not self.folder:
            raise ValueError("a ready lesson needs a folder")

    @property
    def ready(self) -> bool:
        """Whether the lesson is written."""
        return self.status == "ready"


@dataclass(frozen=True, kw_only=True)
class Stage(Model):
    """A part of the path: lessons in order."""

    id: Slug
    title: Line
    lessons: Annotated[tuple[LessonEntry, ...], Check(unique_ids)]


@dataclass(frozen=True, kw_only=True)
class Course(Model):
    """The whole path, as course.yaml states it."""

    id: Slug
    title: Line
    stages: Annotated[tuple[Stage, ...], Check(unique_ids)]

    def __post_init__(self) -> None:
        unique_ids(self.lessons)

    @property
    def lessons(self) -> tuple[LessonEntry, ...]:
        """All lessons in order."""
        return tuple(lesson for stage in self.stages for lesson in stage.lessons)

    @property
    def ready(self) -> tuple[LessonEntry, ...]:
        """The lessons that are written, in order."""
        return tuple(lesson for lesson in self.lessons if lesson.ready)


@dataclass(frozen=True, kw_only=True)
class FrontMatter(Model):
    """The YAML head of lesson.md."""

    title: Line
    summary: Line
    minutes: Annotated[int, between(1, 240)]
    """Minutes that the whole lesson takes a reader."""
    outcomes: tuple[RichLine, ...]
    """What the reader can do at the end, a line each."""
    next_question: RichLine
    """The question that the next lesson answers."""


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
        """Whether `text` is what the program prints, white space aside."""
        return text.split() == self.answer.split()


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


@dataclass(frozen=True, kw_only=True)
class CaseQuestion(Model):
    """A question of the case study, with its worked solution."""

    id: Slug
    prompt: RichText
    solution: RichText


@dataclass(frozen=True, kw_only=True)
class CaseStudy(Model):
    """case_study.yaml: a practitioner's situation and what to make of it."""

    title: Line
    situation: RichText
    questions: Annotated[tuple[CaseQuestion, ...], Check(unique_ids)]


@dataclass(frozen=True)
class Section:
    """A section of a lesson."""

    id: str
    title: str
    blocks: tuple[Block, ...]
    line: int
    """Line of its heading in lesson.md, for fault reports."""

    @property
    def demo(self) -> Demo | None:
        """The section's demo, if it has one."""
        return next((block for block in self.blocks if isinstance(block, Demo)), None)


@dataclass(frozen=True)
class Lesson:
    """A lesson, whole."""

    id: str
    folder: Path
    head: FrontMatter
    sections: tuple[Section, ...]
    questions: tuple[Question, ...]
    case_study: CaseStudy

    def section(self, section_id: str) -> Section:
        """Return the section of that id. Raises KeyError."""
        return {section.id: section for section in self.sections}[section_id]
