"""From a course folder to models. Every fault of a file is reported, with its line and field."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.course.faults import Fault, raise_for
from triton_path.course.markdown import RawSection, read_sections
from triton_path.course.models import (
    CaseStudy,
    Course,
    FrontMatter,
    Lesson,
    LessonEntry,
    Quiz,
    Section,
)
from triton_path.course.source import SourceError, parse_yaml, read_text
from triton_path.errors import CourseFault, unknown_name

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path
    from typing import TypeVar

    T = TypeVar("T")


def load_course(root: Path) -> Course:
    """Read course.yaml of the folder `root`: the path, without the lessons' texts.

    Raises CourseFault.
    """
    if not (root / "course.yaml").is_file():
        raise CourseFault(
            f"There is no course in {root}: it has no course.yaml.",
            "unset TRITON_PATH_CONTENT, or point it at a course folder",
        )
    faults: list[Fault] = []
    course = _collect(
        faults, lambda: parse_yaml(read_text(root / "course.yaml", "course.yaml"), "course.yaml")
        .validate(Course)
    )  # fmt: skip
    raise_for(faults)
    assert course is not None
    return course


def find_lesson(course: Course, lesson_id: str) -> LessonEntry:
    """Return the entry of a lesson that is written. Raises UsageFault for any other name."""
    for entry in course.ready:
        if entry.id == lesson_id:
            return entry
    planned = [entry for entry in course.lessons if entry.id == lesson_id]
    if planned:
        fault = unknown_name("finished lesson", lesson_id, (), "triton-path course list")
        fault.message = f"The lesson '{lesson_id}' is planned, not written yet."
        raise fault
    names = [entry.id for entry in course.ready]
    raise unknown_name("lesson", lesson_id, names, "triton-path course list")


def load_lesson(root: Path, entry: LessonEntry) -> Lesson:
    """Read all files of a lesson that is written. Raises CourseFault with every fault found."""
    faults: list[Fault] = []
    lesson = read_lesson(root, entry, faults)
    raise_for(faults)
    assert lesson is not None
    return lesson


def read_lesson(root: Path, entry: LessonEntry, faults: list[Fault]) -> Lesson | None:
    """Read a lesson and add what is wrong to `faults`; return None where it cannot be used."""
    assert entry.folder is not None
    folder = (root / entry.folder).resolve()
    if not folder.is_relative_to(root.resolve()) or not folder.is_dir():
        faults.append(
            Fault("course.yaml", 1, entry.id, f"there is no folder '{entry.folder}' in the course")
        )
        return None
    head, sections = _read_text_file(folder, f"{entry.folder}/lesson.md", faults)

    def yaml_file(name: str, model: type[T]) -> T | None:
        file = f"{entry.folder}/{name}"
        return _collect(
            faults,
            lambda: parse_yaml(read_text(folder / name, file), file).validate(model, folder),  # type: ignore[type-var]
        )

    quiz = yaml_file("quiz.yaml", Quiz)
    case_study = yaml_file("case_study.yaml", CaseStudy)
    if head is None or sections is None or quiz is None or case_study is None:
        return None
    return Lesson(
        id=entry.id,
        folder=folder,
        head=head,
        sections=tuple(map(Section.from_raw, sections)),
        questions=quiz.questions,
        case_study=case_study,
    )


def _read_text_file(
    folder: Path, file: str, faults: list[Fault]
) -> tuple[FrontMatter | None, tuple[RawSection, ...] | None]:
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
