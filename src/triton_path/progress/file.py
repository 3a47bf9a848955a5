"""The SQLite file that the store is: opened, checked, brought up to date, set aside.

Rollback journal and synchronous=FULL: WAL breaks on home folders of a network file system, and a
row that was written must be there after a power cut.
"""

from __future__ import annotations

import contextlib
import sqlite3
from typing import TYPE_CHECKING, Any, Literal

from triton_path.errors import MissingFault
from triton_path.progress import clock
from triton_path.progress.migrations import MIGRATIONS, migrate
from triton_path.progress.tables import LOCAL_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import TracebackType

FILE_NAME = "progress.db"
BUSY_SECONDS = 10.0
"""How long to wait for another copy of the program that is writing."""


class Connection(sqlite3.Connection):
    """A connection that raises MissingFault where the file is locked or cannot be written.

    Every statement of the store runs here, so whoever keeps something can say what was not kept.
    """

    def __init__(self, path: Path) -> None:
        super().__init__(path, timeout=BUSY_SECONDS)
        self._path = path

    def execute(self, *arguments: Any) -> sqlite3.Cursor:
        """Run a statement."""
        try:
            return super().execute(*arguments)
        except sqlite3.OperationalError as error:
            raise _not_writable(self._path, str(error)) from None

    def __exit__(
        self,
        kind: type[BaseException] | None,
        fault: BaseException | None,
        trace: TracebackType | None,
    ) -> Literal[False]:
        """Commit, or roll back."""
        try:
            return super().__exit__(kind, fault, trace)
        except sqlite3.OperationalError as error:
            raise _not_writable(self._path, str(error)) from None


@contextlib.contextmanager
def open_file(
    folder: Path, warn: Callable[[str], None]
) -> Iterator[tuple[sqlite3.Connection, Path]]:
    """Open the file in `folder`, making or migrating it; give the connection and the file's path.

    A file that is no store any more is set aside under another name and a new one begun; `warn`
    is told. Raises MissingFault where the folder cannot be written, where the store was made by
    a newer version, or where another copy of the program keeps it locked.
    """
    path = folder / FILE_NAME
    try:
        folder.mkdir(parents=True, exist_ok=True)
        db = _open(path, warn)
    except OSError as error:
        raise _not_writable(path, error.strerror or str(error)) from None
    except sqlite3.OperationalError as error:
        raise _not_writable(path, str(error)) from None
    try:
        yield db, path
    except sqlite3.OperationalError as error:
        raise _not_writable(path, str(error)) from None
    finally:
        db.close()


def _open(path: Path, warn: Callable[[str], None]) -> sqlite3.Connection:
    try:
        return _connect(path)
    except sqlite3.OperationalError:
        raise
    except sqlite3.DatabaseError as error:
        aside = set_aside(path, "corrupt")
        warn(
            f"The progress file could not be read ({error}). It was kept as {aside}, and a new "
            "one was begun. A backup: triton-path progress import FILE"
        )
        return _connect(path)


def _connect(path: Path) -> sqlite3.Connection:
    db = Connection(path)
    try:
        version = db.execute("PRAGMA user_version").fetchone()[0]
        if version > len(MIGRATIONS):
            raise MissingFault(
                f"{path} was written by a newer triton-path (store version {version}; this one "
                f"knows {len(MIGRATIONS)}). It was left as it is.",
                "pip install --upgrade triton-path",
            )
        db.execute("PRAGMA journal_mode = DELETE")
        db.execute("PRAGMA synchronous = FULL")
        problem = db.execute("PRAGMA quick_check(1)").fetchone()[0]
        if problem != "ok":
            raise sqlite3.DatabaseError(problem)
        migrate(db, version)
        # A file that says it is current but lacks a table is as unusable as a broken one.
        found = {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type='table'")}
        if not found.issuperset(TABLES + LOCAL_TABLES):
            raise sqlite3.DatabaseError("a table is missing")
    except BaseException:
        db.close()
        raise
    return db


def set_aside(path: Path, why: str) -> Path:
    """Rename a store to a free name that tells `why` and when; return the new path."""
    stamp = clock.now().strftime("%Y%m%d-%H%M%S")
    aside = path.with_name(f"{path.name}.{why}-{stamp}")
    number = 1
    while aside.exists():
        number += 1
        aside = path.with_name(f"{path.name}.{why}-{stamp}-{number}")
    # Its journal goes with it: it may hold what mends the file, and SQLite would delete it.
    journal = path.with_name(f"{path.name}-journal")
    path.rename(aside)
    with contextlib.suppress(OSError):
        journal.rename(aside.with_name(f"{aside.name}-journal"))
    return aside


def _not_writable(path: Path, reason: str) -> MissingFault:
    hint = "TRITON_PATH_HOME=FOLDER triton-path ... keeps it in a folder of your choice"
    if "locked" in reason:
        hint = "try again once the other copy of triton-path has written what it is writing"
    return MissingFault(f"Progress cannot be kept in {path}: {reason}.", hint)
