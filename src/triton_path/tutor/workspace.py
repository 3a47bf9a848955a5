"""The learner's folder of exercises: where it is, and which exercise a name or a file means."""

from __future__ import annotations

import os
from difflib import get_close_matches
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.course.load_exercise import LIST_COMMAND, find_exercise, load_exercise
from triton_path.errors import UsageFault
from triton_path.paths import workspace_dir
from triton_path.tutor.own_files import (
    absolute,
    folder_gone,
    kind_of,
    read_own,
    require_text,
    shown,
    typed,
    unreadable,
)
from triton_path.tutor.practice_standing import current_exercise, in_order

if TYPE_CHECKING:
    from triton_path.course.exercises import Exercise
    from triton_path.course.models import Course
    from triton_path.progress.store import Store

SETTING = "workspace"
"""Name of the setting that keeps the folder."""
START = "triton-path practice start"


def workspace(store: Store) -> Path:
    """Return the folder that exercises are put in, there or not."""
    try:
        return workspace_dir(store.setting(SETTING))
    except FileNotFoundError:
        raise folder_gone() from None


def remember(store: Store, folder: Path) -> None:
    """Use `folder` from now on, wherever the program is started."""
    store.keep_setting(SETTING, str(folder))


def own_path(folder: Path, slug: str) -> Path:
    """Return where the learner's file of an exercise is, there or not."""
    return folder / f"{slug.replace('-', '_')}.py"


def is_own(store: Store, exercise: Exercise, file: str) -> bool:
    """Tell whether `file` is the learner's own file of the exercise, and no one else's."""
    return Path(file).resolve() == own_path(workspace(store), exercise.id).resolve()


def find(
    root: Path, course: Course, store: Store, what: str | None, *, exercise: str | None = None
) -> tuple[Exercise, Path]:
    """Return the exercise and the learner's file that are meant; the file is there and is text.

    `what` names an exercise, whose file is then the one in the workspace, or a file, whose
    exercise is known by its name or its folder's unless `exercise` names it. Without either: the
    exercise that was worked on last. Raises UsageFault with the command to type.
    """
    path = _as_file(course, store, what, exercise)
    if path is None:
        slug = _named(course, store, exercise or what)
        path = own_path(workspace(store), slug)
        require_text(path)
        _require_own(path, slug)
    else:
        _require_file(course, path)
        slug = find_exercise(course, exercise) if exercise else _exercise_of(course, path)
    read_own(path, f"triton-path practice check {slug}")
    return load_exercise(root, slug), path


def which(course: Course, store: Store, what: str | None, *, or_next: bool = False) -> str:
    """Return the id of the exercise that a name or a file means; the file need not be there.

    None means the one that was worked on last; with `or_next`, the next one where nothing was
    begun. Raises UsageFault.
    """
    path = _as_file(course, store, what, None)
    if path is not None:
        return _exercise_of(course, path)
    first = in_order(course)[:1]
    if what is None and or_next and first and not store.exercises.all():
        return first[0][1]
    return _named(course, store, what)


def _named(course: Course, store: Store, name: str | None) -> str:
    if name is not None:
        return find_exercise(course, name)
    current = current_exercise(course, store.exercises.all())
    if current is None:
        raise UsageFault("You have not begun an exercise yet.", START)
    return current


def _as_file(course: Course, store: Store, what: str | None, exercise: str | None) -> Path | None:
    """Return the path that `what` means; None where it is an exercise's name.

    A bare `vector_add.py` is the file here, or else the one in the workspace.
    """
    if what is None or (what in course.exercises and exercise is None):
        return None
    here = absolute(what) if what else Path()
    is_path = what.endswith(".py") or "/" in what or os.sep in what
    if not (exercise or is_path or (what and kind_of(here) != "nothing")):
        return None
    in_workspace = workspace(store) / what
    if kind_of(here) == "nothing" and Path(what).name == what and kind_of(in_workspace) == "file":
        return in_workspace
    return here


def _exercise_of(course: Course, path: Path) -> str:
    """Return the exercise that a file belongs to, by its name or else its folder's."""
    for name in (path.stem, path.parent.name):
        slug = name.lower().replace("_", "-")
        if slug in course.exercises:
            return slug
    raise UsageFault(
        f"Which exercise does {shown(path)} belong to? Neither its name nor its folder's says so.",
        f"triton-path practice check {typed(path)} --exercise NAME",
    )


def _require_own(path: Path, slug: str) -> None:
    kind = kind_of(path)
    if kind == "folder":
        raise UsageFault(f"{shown(path)} is a folder, not a file.", f"rmdir {typed(path)}")
    if kind == "other":
        raise unreadable(path)
    if kind != "file":
        where = shown(path.parent)
        there = kind_of(path.parent) == "folder"
        message = (
            f"There is no {path.name} in {where}."
            if there
            else f"There is no folder {where} yet, where exercises are put."
        )
        raise UsageFault(message, f"{START} {slug}")


def _require_file(course: Course, path: Path) -> None:
    kind = kind_of(path)
    if kind == "file":
        return
    if kind == "folder":
        inside = [own_path(path, name) for name in course.exercises]
        found = [file for file in inside if kind_of(file) == "file"]
        raise UsageFault(
            f"{shown(path)} is a folder, not a file.",
            f"triton-path practice check {typed(found[0])}" if found else LIST_COMMAND,
        )
    if kind == "other" and path.exists():
        raise UsageFault(f"{shown(path)} is a pipe or a device, not a file.", LIST_COMMAND)
    known = [own_path(path.parent, name) for name in course.exercises]
    hint = f"{START} {course.exercises[known.index(path)]}" if path in known else LIST_COMMAND
    raise UsageFault(f"There is no file {shown(path)}.{_nearest(path)}", hint)


def _nearest(path: Path) -> str:
    """Offer a file beside the one that is not there."""
    try:
        names = [entry.name for entry in path.parent.iterdir() if entry.suffix == ".py"]
    except (OSError, ValueError):
        return ""
    nearest = get_close_matches(path.name, names, n=1, cutoff=0.6)
    return f" Did you mean '{nearest[0]}'?" if nearest else ""
