"""The models of a course: what its YAML files may say, and the lesson put together from them.

Plain dataclasses: `reading` validates files into them, and a cache brings them back.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Annotated, Literal

from triton_path.course.blocks import Block, Demo
from triton_path.course.fields import Check, Line, Slug, between, unique_ids
from triton_path.course.rich_fields import Model, RichLine, RichText

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.questions import Question


@dataclass(frozen=True, kw_only=True)
class LessonEntry(Model):
    """A lesson's place in the path."""

    id: Slug
    title: Line
    status: Literal["ready", "planned"]
    """A planned lesson is shown greyed and not counted."""
    folder: str | None = None
    """The lesson's folder below the course's; a ready lesson must have one."""
    exercises: tuple[Slug, ...] = ()
    """Its exercises in order: folders of exercises/. They may be there before the lesson is."""

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
        twice = [name for name in self.exercises if self.exercises.count(name) > 1]
        if twice:
            raise ValueError(f"the exercise '{twice[0]}' appears twice")

    @property
    def exercises(self) -> tuple[str, ...]:
        """All exercises in order."""
        return tuple(name for lesson in self.lessons for name in lesson.exercises)

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
