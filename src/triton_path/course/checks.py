"""What `course check` demands beyond files that load: ids that meet, pictures that fit."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.course.blocks import Block, Code, Columns, Demo, Picture
from triton_path.course.faults import Fault
from triton_path.course.loader import load_course, read_lesson

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triton_path.course.models import Lesson

PICTURE_COLUMNS = 56
"""Widest picture: it is never wrapped, and a window of 60 columns must hold it."""

CODE_COLUMNS = 72
"""Longest line of a listing: it fits a window of 80 columns with its frame."""

PANE_COLUMNS = 24
"""Longest line of a listing beside two others in a window of 80 columns."""


def check_course(root: Path) -> tuple[int, list[Fault]]:
    """Return the number of lessons checked and all faults of the course in `root`.

    Raises CourseFault where course.yaml itself cannot be used.
    """
    course = load_course(root)
    faults: list[Fault] = []
    for entry in course.ready:
        lesson = read_lesson(root, entry, faults)
        if lesson is not None:
            faults.extend(_lesson_faults(lesson, entry.folder or ""))
    return len(course.ready), sorted(set(faults))


def _lesson_faults(lesson: Lesson, folder: str) -> Iterator[Fault]:
    text = f"{folder}/lesson.md"
    section_ids = [section.id for section in lesson.sections]
    demo_ids = [block.id for section in lesson.sections for block in _demos(section.blocks)]
    for kind, ids in (("section", section_ids), ("demo", demo_ids)):
        for name in sorted({name for name in ids if ids.count(name) > 1}):
            yield Fault(text, 1, name, f"the {kind} id appears twice")
    for section in lesson.sections:
        if not section.blocks:
            yield Fault(text, 1, section.id, "the section is empty")
        if len(_demos(section.blocks)) > 1:
            yield Fault(text, 1, section.id, "a section has one demo at most")
        for block in section.blocks:
            for message in _width_faults(block):
                yield Fault(text, 1, section.id, message)
    for question in lesson.questions:
        if question.section not in section_ids:
            message = f"there is no section '{question.section}' in the lesson"
            yield Fault(f"{folder}/quiz.yaml", 1, question.id, message)


def _demos(blocks: tuple[Block, ...]) -> list[Demo]:
    return [block for block in blocks if isinstance(block, Demo)]


def _width_faults(block: Block) -> Iterator[str]:
    if isinstance(block, Picture):
        yield from _long_lines("a picture", block.text, PICTURE_COLUMNS)
    elif isinstance(block, Code):
        yield from _long_lines("a listing", block.text, CODE_COLUMNS)
    elif isinstance(block, Columns):
        for pane in block.panes:
            yield from _long_lines("a listing beside others", pane.text, PANE_COLUMNS)


def _long_lines(what: str, text: str, most: int) -> Iterator[str]:
    for line in text.splitlines():
        if len(line) > most:
            yield f"a line of {what} is {len(line)} columns wide, more than {most}: {line.strip()}"
