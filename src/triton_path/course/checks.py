"""What `course check` demands beyond files that load: ids that meet, pictures that fit."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from rich.cells import cell_len

from triton_path.course.blocks import Block, Code, Columns, Demo, Picture
from triton_path.course.exercises import FOLDER
from triton_path.course.faults import Fault
from triton_path.course.gpus import FILE as GPUS
from triton_path.course.gpus import load_gpus
from triton_path.course.lies import FILE as LIES
from triton_path.course.lies import load_stories
from triton_path.course.loader import require_course
from triton_path.course.read_exercise import read_exercise
from triton_path.course.reading import read_course, read_lesson

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path

    from triton_path.course.exercises import Exercise
    from triton_path.course.models import Lesson, Section

PICTURE_COLUMNS = 56
"""Widest picture: it is never wrapped, and a window of 60 columns must hold it."""

CODE_COLUMNS = 72
"""Longest line of a listing: it fits a window of 80 columns with its frame."""

PANE_COLUMNS = 24
"""Longest line of a listing beside two others in a window of 80 columns."""


@dataclass
class Checked:
    """What was checked, and what is wrong with it."""

    lessons: int
    exercises: list[Exercise]
    faults: list[Fault]


def check_course(root: Path) -> Checked:
    """Read all files of the course in `root`; no code of it is run.

    Raises CourseFault where course.yaml, gpus.yaml or lies.yaml cannot be used.
    """
    require_course(root)
    course = read_course(root)
    faults: list[Fault] = []
    if (root / GPUS).is_file():
        load_gpus(root)
    if (root / LIES).is_file():
        load_stories(root)
    if not course.ready:
        faults.append(Fault("course.yaml", 1, "stages", "no lesson is ready: nothing to check"))
    for entry in course.ready:
        lesson = read_lesson(root, entry, faults)
        if lesson is not None:
            faults.extend(_lesson_faults(lesson, entry.folder or ""))
    found = [read_exercise(root, slug, faults) for slug in course.exercises]
    exercises = [exercise for exercise in found if exercise is not None]
    faults.extend(_folders_not_named(root, course.exercises))
    return Checked(len(course.ready), exercises, sorted(set(faults)))


def _folders_not_named(root: Path, named: tuple[str, ...]) -> Iterator[Fault]:
    folder = root / FOLDER
    for path in sorted(folder.iterdir()) if folder.is_dir() else ():
        if path.name not in named:
            file = f"{FOLDER}/{path.name}"
            yield Fault(file, 1, "", "is no exercise that a lesson of course.yaml names")


def _lesson_faults(lesson: Lesson, folder: str) -> Iterator[Fault]:
    text = f"{folder}/lesson.md"
    demo_ids: set[str] = set()
    for section in lesson.sections:

        def fault(message: str, section: Section = section) -> Fault:
            return Fault(text, section.line, section.id, message)

        demos = [block for block in section.blocks if isinstance(block, Demo)]
        if not section.blocks:
            yield fault("the section is empty")
        if len(demos) > 1:
            yield fault("a section has one demo at most")
        for demo in demos:
            if demo.id in demo_ids:
                yield fault(f"the demo id '{demo.id}' appears twice")
            demo_ids.add(demo.id)
        for block in section.blocks:
            yield from map(fault, _width_faults(block))


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
        width = cell_len(line)
        if width > most:
            yield f"a line of {what} is {width} columns wide, more than {most}: {line.strip()}"
