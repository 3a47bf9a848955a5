"""The models of a course: what its YAML files may say, and the lesson put together from them."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Any, Literal

from pydantic import AfterValidator, BeforeValidator, Field, model_validator

from triton_path.course.blocks import Block, Demo, Inline
from triton_path.course.files import CourseModel, Line, Slug, SourceFile
from triton_path.course.markdown import RawSection, read_blocks, read_inline

if TYPE_CHECKING:
    from pathlib import Path

    from typing_extensions import Self


def _text(value: Any) -> str:
    if not isinstance(value, str) or not value.strip():
        raise ValueError("must be text")
    return value


def _unique_ids(items: tuple[Any, ...]) -> tuple[Any, ...]:
    ids = [item.id for item in items]
    twice = sorted({name for name in ids if ids.count(name) > 1})
    if twice:
        raise ValueError(f"the id '{twice[0]}' appears twice")
    return items


if TYPE_CHECKING:
    RichLine = Inline
    RichText = tuple[Block, ...]
else:
    # In the file a string of Markdown; in the model what it says.
    RichLine = Annotated[tuple, BeforeValidator(lambda value: read_inline(_text(value)))]
    RichText = Annotated[tuple, BeforeValidator(lambda value: read_blocks(_text(value)))]


class LessonEntry(CourseModel):
    """A lesson's place in the path."""

    id: Slug
    title: Line
    status: Literal["ready", "planned"]
    """A planned lesson is shown greyed and not counted."""
    folder: str | None = None
    """The lesson's folder below the course's; a ready lesson must have one."""

    @model_validator(mode="after")
    def _ready_has_folder(self) -> Self:
        if self.status == "ready" and not self.folder:
            raise ValueError("a ready lesson needs a folder")
        return self

    @property
    def ready(self) -> bool:
        """Whether the lesson is written."""
        return self.status == "ready"


class Stage(CourseModel):
    """A part of the path: lessons in order."""

    id: Slug
    title: Line
    lessons: Annotated[tuple[LessonEntry, ...], Field(min_length=1), AfterValidator(_unique_ids)]


class Course(CourseModel):
    """The whole path, as course.yaml states it."""

    id: Slug
    title: Line
    stages: Annotated[tuple[Stage, ...], Field(min_length=1), AfterValidator(_unique_ids)]

    @model_validator(mode="after")
    def _lessons_once(self) -> Self:
        _unique_ids(self.lessons)
        return self

    @property
    def lessons(self) -> tuple[LessonEntry, ...]:
        """All lessons in order."""
        return tuple(lesson for stage in self.stages for lesson in stage.lessons)

    @property
    def ready(self) -> tuple[LessonEntry, ...]:
        """The lessons that are written, in order."""
        return tuple(lesson for lesson in self.lessons if lesson.ready)


class FrontMatter(CourseModel):
    """The YAML head of lesson.md."""

    title: Line
    summary: Line
    minutes: Annotated[int, Field(ge=1, le=240)]
    """Minutes that the whole lesson takes a reader."""
    outcomes: Annotated[tuple[RichLine, ...], Field(min_length=1)]
    """What the reader can do at the end, a line each."""
    next_question: RichLine
    """The question that the next lesson answers."""


class Choice(CourseModel):
    """One choice of a question."""

    id: Slug
    text: RichLine
    correct: bool = False
    why: RichLine
    """Why it is right, or what would be true if it were."""


class QuestionBase(CourseModel):
    """What every kind of question has."""

    id: Slug
    section: Slug
    """The section to read again."""
    prompt: RichText


class ChoiceQuestion(QuestionBase):
    """Pick one choice (single) or all that are right (multiple)."""

    kind: Literal["single", "multiple"]
    choices: Annotated[tuple[Choice, ...], Field(min_length=2), AfterValidator(_unique_ids)]

    @model_validator(mode="after")
    def _some_are_right(self) -> Self:
        right = len(self.right_ids)
        if self.kind == "single" and right != 1:
            raise ValueError(f"a single-choice question has one correct choice, not {right}")
        if right == 0:
            raise ValueError("no choice is correct")
        return self

    @property
    def right_ids(self) -> tuple[str, ...]:
        """Ids of the correct choices, in the order of the file."""
        return tuple(choice.id for choice in self.choices if choice.correct)


class NumberMiss(CourseModel):
    """A wrong number that people really give."""

    value: float
    why: RichLine


class NumberQuestion(QuestionBase):
    """Work out a number."""

    kind: Literal["number"]
    answer: float
    tolerance: Annotated[float, Field(ge=0)] | None = None
    """Largest absolute difference that is right; exact where neither tolerance is given."""
    relative: Annotated[float, Field(gt=0, lt=1)] | None = None
    """Largest difference as a share of the answer."""
    unit: str = ""
    explanation: RichText
    misses: tuple[NumberMiss, ...] = ()

    @model_validator(mode="after")
    def _one_tolerance(self) -> Self:
        if self.tolerance is not None and self.relative is not None:
            raise ValueError("give 'tolerance' or 'relative', not both")
        return self

    def accepts(self, value: float) -> bool:
        """Whether `value` is near enough to the answer."""
        band = self.tolerance or (self.relative or 0.0) * abs(self.answer)
        return abs(value - self.answer) <= band


class TextMiss(CourseModel):
    """A wrong output that people really expect."""

    value: Line
    why: RichLine


class PredictQuestion(QuestionBase):
    """Say what a program prints."""

    kind: Literal["predict"]
    file: SourceFile
    answer: Line
    """The one line that it prints; white space is collapsed before it is compared."""
    explanation: RichText
    misses: tuple[TextMiss, ...] = ()

    def accepts(self, text: str) -> bool:
        """Whether `text` is what the program prints, white space aside."""
        return text.split() == self.answer.split()


class LineMiss(CourseModel):
    """A line that is not at fault but is often named."""

    value: Annotated[int, Field(ge=1)]
    why: RichLine


class LineQuestion(QuestionBase):
    """Name the line at fault."""

    kind: Literal["line"]
    file: SourceFile
    answer: Annotated[int, Field(ge=1)]
    """Number of the line, from 1."""
    explanation: RichText
    misses: tuple[LineMiss, ...] = ()

    @model_validator(mode="after")
    def _line_exists(self) -> Self:
        if self.answer > len(self.file.text.splitlines()):
            raise ValueError(f"{self.file.path.name} has no line {self.answer}")
        return self


Question = ChoiceQuestion | NumberQuestion | PredictQuestion | LineQuestion


class Quiz(CourseModel):
    """quiz.yaml."""

    questions: Annotated[
        tuple[Annotated[Question, Field(discriminator="kind")], ...],
        Field(min_length=1),
        AfterValidator(_unique_ids),
    ]


class CaseQuestion(CourseModel):
    """A question of the case study, with its worked solution."""

    id: Slug
    prompt: RichText
    solution: RichText


class CaseStudy(CourseModel):
    """case_study.yaml: a practitioner's situation and what to make of it."""

    title: Line
    situation: RichText
    questions: Annotated[tuple[CaseQuestion, ...], Field(min_length=1), AfterValidator(_unique_ids)]


@dataclass(frozen=True)
class Section:
    """A section of a lesson."""

    id: str
    title: str
    blocks: tuple[Block, ...]

    @classmethod
    def from_raw(cls, raw: RawSection) -> Section:
        """Drop the line number, which only fault reports need."""
        return cls(raw.id, raw.title, raw.blocks)

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
