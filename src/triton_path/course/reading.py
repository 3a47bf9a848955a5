"""Reads and validates the files of a course. Every fault is reported, with its line and field."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

from pydantic import BaseModel, ConfigDict, Field

from triton_path.course.faults import Fault, raise_for
from triton_path.course.fields import Check, unique_ids
from triton_path.course.files import inside
from triton_path.course.markdown import read_sections
from triton_path.course.models import CaseStudy, Course, FrontMatter, Lesson, LessonEntry, Section
from triton_path.course.questions import Question
from triton_path.course.source import YamlSource, parse_yaml
from triton_path.course.text import SourceError, read_text

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from typing import TypeVar

    T = TypeVar("T")


class Quiz(BaseModel):
    """quiz.yaml."""

    model_config = ConfigDict(frozen=True, extra="forbid")
    questions: Annotated[
        tuple[Annotated[Question, Field(discriminator="kind")], ...], Check(unique_ids)
    ]


def read_course(root: Path) -> Course:
    """Read course.yaml of the folder `root`. Raises CourseFault with every fault found."""
    faults: list[Fault] = []
    file = "course.yaml"
    course = _collect(
        faults, lambda: parse_yaml(read_text(root / file, file), file).validate(Course)
    )
    raise_for(faults)
    assert course is not None
    return course


def read_lesson(root: Path, entry: LessonEntry, faults: list[Fault]) -> Lesson | None:
    """Read a lesson and add what is wrong to `faults`; return None where it cannot be used."""
    assert entry.folder is not None
    folder = inside(root, entry.folder)
    if folder is None or not folder.is_dir():
        line = _line_of_folder(root, entry)
        message = f"there is no folder '{entry.folder[:60]}' in the course"
        faults.append(Fault("course.yaml", line, entry.id, message))
        return None
    head, sections = _read_text_file(folder, f"{entry.folder}/lesson.md", faults)

    def yaml_file(name: str, model: type[T]) -> tuple[T | None, YamlSource | None]:
        file = f"{entry.folder}/{name}"
        source = _collect(faults, lambda: parse_yaml(read_text(folder / name, file), file))
        if source is None:
            return None, None
        return _collect(faults, lambda: source.validate(model, folder)), source

    quiz, quiz_source = yaml_file("quiz.yaml", Quiz)
    case_study, _ = yaml_file("case_study.yaml", CaseStudy)
    if sections and quiz and quiz_source:
        faults.extend(_sections_not_there(quiz, quiz_source, sections))
    if head is None or sections is None or quiz is None or case_study is None:
        return None
    return Lesson(
        id=entry.id,
        folder=folder,
        head=head,
        sections=sections,
        questions=quiz.questions,
        case_study=case_study,
    )


def _line_of_folder(root: Path, entry: LessonEntry) -> int:
    """Find the line of course.yaml that names a lesson's folder."""
    source = parse_yaml(read_text(root / "course.yaml", "course.yaml"), "course.yaml")
    for where, line in source.lines.items():
        if where[-1:] == ("folder",):
            _, stage, _, lesson, _ = where
            if source.data["stages"][stage]["lessons"][lesson]["id"] == entry.id:
                return line
    return 1


def _sections_not_there(
    quiz: Quiz, source: YamlSource, sections: Sequence[Section]
) -> Iterator[Fault]:
    known = {section.id for section in sections}
    for index, question in enumerate(quiz.questions):
        if question.section not in known:
            line = source.lines["questions", index, "section"]
            message = f"there is no section '{question.section}' in the lesson"
            yield Fault(source.file, line, f"questions.{index}.section", message)


def _read_text_file(
    folder: Path, file: str, faults: list[Fault]
) -> tuple[FrontMatter | None, tuple[Section, ...] | None]:
    """Read lesson.md: its YAML head and its sections."""
    text = _collect(faults, lambda: read_text(folder / "lesson.md", file))
    if text is None:
        return None, None
    head_text, line, body = split_front_matter(text)
    if head_text is None:
        faults.append(Fault(file, 1, "", "must begin with a YAML head between two '---' lines"))
        return None, None
    head = _collect(faults, lambda: parse_yaml(head_text, file, 2).validate(FrontMatter))
    sections = _collect(faults, lambda: read_sections(body, file, line, folder))
    if sections == ():
        faults.append(Fault(file, line, "", "has no section: '## Title {#id}'"))
    seen: set[str] = set()
    for section in sections or ():
        if section.id in seen:
            faults.append(Fault(file, section.line, section.id, "the section id appears twice"))
        seen.add(section.id)
    return head, sections


def split_front_matter(text: str) -> tuple[str | None, int, str]:
    """Return the YAML head (None where there is none), the first line of the rest, and the rest."""
    lines = text.split("\n")
    if lines[0].rstrip() != "---":
        return None, 1, text
    for number, line in enumerate(lines[1:], start=1):
        if line.rstrip() == "---":
            return "\n".join(lines[1:number]), number + 2, "\n".join(lines[number + 1 :])
    return None, 1, text


def _collect(faults: list[Fault], read: Callable[[], T]) -> T | None:
    try:
        return read()
    except SourceError as error:
        faults.extend(error.faults)
        return None
