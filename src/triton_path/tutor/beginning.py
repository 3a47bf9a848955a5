"""Beginning an exercise: its starter is put into the workspace, and nothing there is ever lost."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.errors import UsageFault
from triton_path.progress import clock
from triton_path.tutor.own_files import (
    absolute,
    is_starter,
    kind_of,
    move_to,
    put_new,
    require_text,
    shown,
    typed,
    unreadable,
)
from triton_path.tutor.workspace import SETTING, own_path, remember, workspace

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.exercises import Exercise
    from triton_path.progress.store import Store

BACKUPS = "backups"
"""Folder in the workspace for files of before an exercise was begun anew."""


@dataclass(frozen=True)
class Begun:
    """An exercise that lies in the workspace."""

    path: Path
    fresh: bool
    """Whether the starter was put there now; else the learner's file was there and stays."""
    left: Path | None = None
    """The workspace before, where another one was chosen now and the old one is still there."""


@dataclass(frozen=True)
class BegunAnew:
    """An exercise whose starter is in its place again."""

    path: Path
    backup: Path | None
    """Where the learner's file is now; None where it was still the starter, or not there."""


def begin(store: Store, exercise: Exercise, folder: str | None = None) -> Begun:
    """Put the starter into the workspace; with `folder`, into that one, which is remembered.

    Raises UsageFault or MissingFault where that is not possible.
    """
    before = workspace(store)
    now = before if folder is None else _chosen(folder)
    path = own_path(now, exercise.id)
    require_text(path)
    if kind_of(path) == "folder":
        raise UsageFault(f"{shown(path)} is a folder, not a file.", f"rmdir {typed(path)}")
    fresh = put_new(path, exercise.starter.text)
    if not fresh and kind_of(path) != "file":
        raise unreadable(path)
    if store.setting(SETTING) is None or folder is not None:
        remember(store, now)
    record = store.exercises.of(exercise.id)
    # A passed exercise from a fresh starter, as on another machine, is written once more.
    if not record.begun or (fresh and record.passed and not record.anew):
        store.exercises.begin(exercise.id)
    moved = now != before and kind_of(before) == "folder"
    return Begun(path, fresh, before if moved else None)


def begin_anew(store: Store, exercise: Exercise) -> BegunAnew:
    """Put the starter in the place of the learner's file, which is kept among the backups.

    Raises UsageFault or MissingFault where that is not possible, or an editor saved meanwhile.
    """
    folder = workspace(store)
    path = own_path(folder, exercise.id)
    require_text(path)
    kind = kind_of(path)
    if kind in ("folder", "other"):
        raise unreadable(path)
    backup = None
    if kind == "file" and not is_starter(exercise, path):
        stamp = clock.now().strftime("%Y%m%d-%H%M%S")
        backup = move_to(path, folder / BACKUPS, f"{path.stem}-{stamp}.py")
    try:
        fresh = put_new(path, exercise.starter.text)
    except BaseException:
        if backup is not None and kind_of(path) == "nothing":
            backup.rename(path)
        raise
    if not fresh and not is_starter(exercise, path):
        before = f"; yours of before is in {shown(backup)}" if backup else ""
        raise UsageFault(
            f"{shown(path)} was saved meanwhile{before}. The starter was not put there.",
            f"triton-path practice reset {exercise.id}",
        )
    if store.setting(SETTING) is None:
        remember(store, folder)
    store.exercises.begin(exercise.id)
    return BegunAnew(path, backup)


def _chosen(folder: str) -> Path:
    path = absolute(folder)
    if kind_of(path) in ("file", "other"):
        raise UsageFault(f"{folder} is no folder.", "triton-path practice start --dir FOLDER")
    return path
