"""Rows for what lies in folders: store, course, exercises, cache. Each is written or read."""

from __future__ import annotations

import contextlib
import getpass
import os
import shlex
import sqlite3
import tempfile
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.errors import CourseFault, TutorError
from triton_path.paths import CONTENT_VARIABLE, HOME_VARIABLE, cache_dir, content_dir, data_dir
from triton_path.tutor.doctor.report import Row

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.tutor.doctor.mend import Mender
    from triton_path.tutor.doctor.report import State

LOCK_SECONDS = 1.0
"""How long to wait for another copy of the program that is writing."""
START_PRACTICE = "triton-path practice start"
TEMPORARY_CACHE = "export TRITON_CACHE_DIR=/tmp/triton-cache"


def store_row(mender: Mender) -> Row:
    """Write to the learner's store and take it back; where there is none yet, to one beside it."""
    from triton_path.progress.file import FILE_NAME
    from triton_path.progress.store import open_store

    folder = data_dir()
    path = folder / FILE_NAME

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id="store", state=state, found=text, enables="your place", mend=mend)

    try:
        if path.exists():
            _write_and_take_back(path)
        else:
            with _scratch(folder) as scratch, open_store(scratch) as store:
                store.mark_read("doctor", "doctor")
        return row("works", f"{shown(folder)} is writable, tried")
    except _NewerStore as fault:
        return row("broken", str(fault), mender.install("--upgrade", "triton-path"))
    except sqlite3.OperationalError as fault:
        if "locked" in str(fault):
            text = f"{shown(path)}: another program is writing to it"
            return row("limited", text, "triton-path doctor   (again, when that has ended)")
        return row("broken", f"{shown(path)}: {fault}", _elsewhere(path))
    except sqlite3.DatabaseError as fault:
        # Opened for learning, such a file is set aside and a new one begun.
        return row("broken", f"{shown(path)}: {fault}", "triton-path progress")
    except OSError as fault:
        text = f"{shown(folder)} cannot be written: {fault.strerror or fault}"
        return row("broken", text, _elsewhere(folder))
    except TutorError as fault:
        return row("broken", fault.message, _elsewhere(folder))


def _elsewhere(path: Path) -> str:
    """Return the command that makes `path` writable, or else keeps our data elsewhere."""
    if os.environ.get(HOME_VARIABLE):
        return f"unset {HOME_VARIABLE}"
    # A user without a name, as in some containers, is a KeyError.
    with contextlib.suppress(OSError, KeyError):
        if path.exists() and path.owner() == getpass.getuser() and not os.access(path, os.W_OK):
            return f"chmod u+rw{'x' if path.is_dir() else ''} {shlex.quote(str(path))}"
    return f'export {HOME_VARIABLE}="$PWD/triton-path-data"'


class _NewerStore(Exception):
    """The store was made by a newer version of this program."""


def _write_and_take_back(path: Path) -> None:
    """Check the store and write to it in a transaction that is rolled back."""
    from triton_path.progress.migrations import MIGRATIONS

    uri = f"{path.resolve().as_uri()}?mode=rw"
    with contextlib.closing(
        sqlite3.connect(uri, uri=True, timeout=LOCK_SECONDS, isolation_level=None)
    ) as db:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise _NewerStore(f"{shown(path)} was made by a newer triton-path")
        problem = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise sqlite3.DatabaseError(problem)
        db.execute("BEGIN IMMEDIATE")
        try:
            db.execute("CREATE TABLE doctor (tried INTEGER)")
            db.execute("INSERT INTO doctor VALUES (1)")
        finally:
            if db.in_transaction:  # a full disk ends it by itself
                db.execute("ROLLBACK")


def course_row() -> Row:
    """Load the course and each of its lessons."""
    from triton_path.course.loader import load_course, load_lesson

    root = content_dir()
    try:
        course = load_course(root)
        lessons = [load_lesson(root, entry) for entry in course.ready]
    except CourseFault as fault:
        first = fault.message.splitlines()
        own = bool(os.environ.get(CONTENT_VARIABLE))
        return Row(
            id="course",
            state="broken",
            found=" ".join(first[:2]),
            enables="lessons and quizzes",
            mend=f"unset {CONTENT_VARIABLE}" if own else "triton-path course check",
        )
    ready = f"{len(lessons)} lesson{'s' * (len(lessons) != 1)}"
    planned = len(course.lessons) - len(lessons)
    return Row(
        id="course",
        state="works",
        found=f"{ready} loaded, {planned} planned",
        enables="lessons and quizzes",
    )


def workspace_here(store: Row) -> Path | None:
    """Return the folder of the learner's exercises; `store` tells whether it can be asked for."""
    from triton_path.progress.file import FILE_NAME
    from triton_path.progress.store import open_store
    from triton_path.tutor.workspace import workspace

    if store.state != "works" or not (data_dir() / FILE_NAME).exists():
        return None
    try:
        with open_store(data_dir()) as opened:
            return workspace(opened)
    except TutorError:
        return None


def workspace_row(folder: Path | None) -> Row:
    """Write to the folder of the learner's exercises; None where none was begun."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id="workspace", state=state, found=text, enables="practice", mend=mend)

    if folder is None or not (folder.exists() or folder.is_symlink()):
        return row("missing", "none yet", START_PRACTICE)
    named = shlex.quote(str(folder))
    if not folder.is_dir():
        where = "leads nowhere" if folder.is_symlink() else "is a file, not a folder"
        return row("broken", f"{shown(folder)} {where}", f"mv {named} {named}.old")
    try:
        with _scratch(folder) as scratch:
            (scratch / "doctor").write_bytes(b"doctor")
    except OSError as fault:
        text = f"{shown(folder)} cannot be written: {fault.strerror or fault}"
        return row("broken", text, f"chmod u+rwx {named}")
    return row("works", f"{shown(folder)} is writable, tried")


def cache_row() -> Row:
    """Write a file to our cache and to Triton's, without which no compiled kernel is kept."""

    def row(state: State, text: str, mend: str | None = None) -> Row:
        return Row(id="cache", state=state, found=text, enables="a quick start", mend=mend)

    own = bool(os.environ.get("TRITON_CACHE_DIR"))
    for folder, mend in (
        (triton_cache_dir(), "unset TRITON_CACHE_DIR" if own else TEMPORARY_CACHE),
        (cache_dir(), _elsewhere(cache_dir())),
    ):
        try:
            with _scratch(folder) as scratch:
                (scratch / "doctor").write_bytes(b"doctor")
        except OSError as fault:
            text = f"{shown(folder)} cannot be written: {fault.strerror or fault}"
            return row("limited", text, mend)
    return row("works", "ours and Triton's are writable, tried")


def triton_cache_dir() -> Path:
    """Return the folder in which Triton keeps compiled kernels, by Triton's own rule."""
    own = os.environ.get("TRITON_CACHE_DIR")
    if own:
        return Path(own)
    # Not Path.home(): that raises where the user has no home, as in some containers.
    home = os.environ.get("TRITON_HOME") or os.path.expanduser("~")  # noqa: PTH111
    return Path(home) / ".triton" / "cache"


@contextlib.contextmanager
def _scratch(folder: Path) -> Iterator[Path]:
    """Make an empty folder in `folder`; afterwards it and all folders made for it are gone."""
    made = []
    for parent in (folder, *folder.parents):
        if parent.exists():
            break
        made.append(parent)
    try:
        folder.mkdir(parents=True, exist_ok=True)
        with tempfile.TemporaryDirectory(prefix="doctor-", dir=folder) as scratch:
            yield Path(scratch)
    finally:
        for parent in made:
            # Another copy of the program may have begun to use it meanwhile.
            with contextlib.suppress(OSError):
                parent.rmdir()


def shown(path: Path) -> str:
    """Return a path as a person writes it, with ~ for the home folder."""
    with contextlib.suppress(ValueError, RuntimeError):
        return str(Path("~") / path.relative_to(Path.home()))
    return str(path)
