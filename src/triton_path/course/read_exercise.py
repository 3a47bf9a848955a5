"""Reads and validates an exercise's folder. Every fault is reported, with its line and field."""

from __future__ import annotations

import ast
from typing import TYPE_CHECKING

from triton_path.course.exercises import FOLDER, HEADINGS, Exercise, ExerciseFile
from triton_path.course.faults import Fault
from triton_path.course.files import ReadFile, inside
from triton_path.course.source import parse_yaml
from triton_path.course.text import SourceError, read_text

if TYPE_CHECKING:
    from pathlib import Path

FILES = ("starter.py", "solution.py", "reference.py")
SPECIFICATION_COLUMNS = 76
"""Widest line of a specification: it is never wrapped, and stands in a window of 80 columns."""


def read_exercise(root: Path, slug: str, faults: list[Fault]) -> Exercise | None:
    """Read an exercise and add what is wrong to `faults`; None where it cannot be used."""
    folder = inside(root / FOLDER, slug)
    where = f"{FOLDER}/{slug}"
    if folder is None or not folder.is_dir():
        faults.append(Fault("course.yaml", 1, "", f"there is no folder '{where}' in the course"))
        return None
    try:
        source = parse_yaml(
            read_text(folder / "exercise.yaml", f"{where}/exercise.yaml"), f"{where}/exercise.yaml"
        )
        about = source.validate(ExerciseFile, folder)
    except SourceError as error:
        faults.extend(error.faults)
        return None
    programs: dict[str, ReadFile] = {}
    for name in FILES:
        try:
            programs[name] = ReadFile(folder / name, read_text(folder / name, f"{where}/{name}"))
            ast.parse(programs[name].text)
        except SourceError as error:
            faults.extend(error.faults)
        except SyntaxError as error:
            message = f"is not valid Python: {error.msg}"
            faults.append(Fault(f"{where}/{name}", error.lineno or 1, "", message))
            del programs[name]
    if len(programs) < len(FILES):
        return None
    exercise = Exercise(
        id=slug,
        folder=folder,
        about=about,
        starter=programs["starter.py"],
        solution=programs["solution.py"],
        reference=programs["reference.py"],
        stray=_stray(folder, about),
    )
    faults.extend(_specification_faults(exercise, f"{where}/starter.py"))
    faults.extend(_file_faults(exercise, where))
    return exercise


def _stray(folder: Path, about: ExerciseFile) -> tuple[str, ...]:
    known = {folder / name for name in (*FILES, "exercise.yaml")}
    known |= {mistake.file.path for mistake in about.mistakes}
    found = [path for path in sorted(folder.rglob("*")) if path.is_file()]
    return tuple(
        str(path.relative_to(folder))
        for path in found
        if path not in known and "__pycache__" not in path.parts
    )


def _specification_faults(exercise: Exercise, file: str) -> list[Fault]:
    lines = exercise.specification.splitlines()
    if not lines:
        return [Fault(file, 1, "", "has no docstring, which is the exercise's specification")]
    missing = [name for name in HEADINGS if name not in lines]
    faults = [
        Fault(file, 1, "", f"the specification has no part '{heading}'") for heading in missing
    ]
    faults += [
        Fault(file, 1, "", f"a line of the specification is too wide: {line.strip()}")
        for line in lines
        if len(line) > SPECIFICATION_COLUMNS
    ]
    return faults


def _file_faults(exercise: Exercise, where: str) -> list[Fault]:
    faults = [
        Fault(f"{where}/{name}", 1, "", "is a file that nothing refers to")
        for name in exercise.stray
    ]
    about = exercise.about
    if len(about.mistakes) < 3:
        faults.append(Fault(f"{where}/exercise.yaml", 1, "mistakes", "must be three or more"))
    for name in ("starter.py", "solution.py"):
        path = exercise.folder / name
        text = exercise.starter.text if name == "starter.py" else exercise.solution.text
        if not _defines(text, about.grading.entry):
            message = f"defines no function '{about.grading.entry}'"
            faults.append(Fault(f"{where}/{path.name}", 1, "", message))
    if not _defines(exercise.reference.text, "reference"):
        faults.append(Fault(f"{where}/reference.py", 1, "", "defines no function 'reference'"))
    return faults


def _defines(text: str, name: str) -> bool:
    return any(
        isinstance(node, ast.FunctionDef) and node.name == name for node in ast.parse(text).body
    )
