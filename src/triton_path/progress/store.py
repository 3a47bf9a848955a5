"""The learner's progress in one SQLite file.

Rollback journal and synchronous=FULL: WAL breaks on home folders of a network file system, and a
row that was written must be there after a power cut. All times are UTC, ISO 8601 with a zone.
"""

from __future__ import annotations

import contextlib
import json
import sqlite3
from dataclasses import dataclass
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING, Any

from triton_path.errors import MissingFault
from triton_path.progress.migrations import MIGRATIONS, migrate

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

FILE_NAME = "progress.db"
BUSY_SECONDS = 10.0
"""How long to wait for another copy of the program that is writing."""

TABLES = ("place", "section_read", "answer", "card", "attempt")


@dataclass(frozen=True)
class Place:
    """Where a learner stands in a lesson."""

    lesson: str
    step: str
    page: int


@dataclass(frozen=True)
class Due:
    """A question whose review is due."""

    lesson: str
    question: str


def now() -> datetime:
    """Return the time, with its zone."""
    return datetime.now(timezone.utc)


def _stamp(at: datetime | None = None) -> str:
    return (at or now()).astimezone(timezone.utc).isoformat(timespec="microseconds")


def _not_before(stamp: str | None) -> datetime:
    """Return the time, or just after `stamp` where the clock was set back: order is kept."""
    if stamp is None:
        return now()
    return max(now(), datetime.fromisoformat(stamp) + timedelta(microseconds=1))


class Store:
    """An open store. Every method that writes has written to disk when it returns."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self.path = path

    def close(self) -> None:
        """Close the file."""
        self._db.close()

    # Where the learner stands

    def save_place(self, place: Place) -> None:
        """Remember where the learner stands in a lesson."""
        newest = self._one("SELECT max(at) FROM place")
        at = _not_before(newest[0] if newest else None)
        self._write(
            "INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?)",
            (place.lesson, place.step, place.page, _stamp(at)),
        )

    def place(self, lesson: str) -> Place | None:
        """Return where the learner stands in `lesson`, if it was ever opened."""
        row = self._one("SELECT lesson, step, page FROM place WHERE lesson = ?", (lesson,))
        return Place(*row) if row else None

    def last_place(self) -> Place | None:
        """Return the place that was saved last, of any lesson."""
        row = self._one("SELECT lesson, step, page FROM place ORDER BY at DESC, rowid DESC LIMIT 1")
        return Place(*row) if row else None

    def mark_read(self, lesson: str, section: str) -> None:
        """Note that a section was read to its end."""
        self._write(
            "INSERT OR IGNORE INTO section_read VALUES (?, ?, ?)", (lesson, section, _stamp())
        )

    def read_sections(self, lesson: str) -> set[str]:
        """Return the ids of the sections that were read."""
        rows = self._db.execute("SELECT section FROM section_read WHERE lesson = ?", (lesson,))
        return {row[0] for row in rows}

    # Answers and reviews

    def record_answer(self, lesson: str, question: str, chosen: Any, *, correct: bool) -> None:
        """Keep an answer and set the question's next review, in one transaction."""
        from triton_path.progress.schedule import next_review

        row = self._one(
            "SELECT state, at FROM card WHERE lesson = ? AND question = ?", (lesson, question)
        )
        at = _not_before(row[1] if row else None)
        state, due = next_review(row[0] if row else None, correct=correct, at=at)
        with self._db:
            self._db.execute(
                "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)",
                (lesson, question, json.dumps(chosen), int(correct), _stamp(at)),
            )
            self._db.execute(
                "INSERT OR REPLACE INTO card VALUES (?, ?, ?, ?, ?)",
                (lesson, question, state, _stamp(due), _stamp(at)),
            )

    def latest_answers(self, lesson: str) -> dict[str, bool]:
        """Return for each question ever answered whether its last answer was right."""
        rows = self._db.execute(
            "SELECT question, correct FROM answer WHERE lesson = ? ORDER BY at", (lesson,)
        )
        return {question: bool(correct) for question, correct in rows}

    def due(self, at: datetime | None = None) -> list[Due]:
        """Return the questions whose review is due at `at` (now), the longest due first."""
        rows = self._db.execute(
            "SELECT lesson, question FROM card WHERE due <= ? ORDER BY due", (_stamp(at),)
        )
        return [Due(*row) for row in rows]

    def next_due(self) -> datetime | None:
        """Return when the next review is due, past or to come."""
        row = self._one("SELECT min(due) FROM card")
        return datetime.fromisoformat(row[0]) if row and row[0] else None

    def days_of_practice(self) -> set[str]:
        """Return the UTC days (YYYY-MM-DD) on which a section was read or a question answered."""
        rows = self._db.execute(
            "SELECT substr(at, 1, 10) FROM answer UNION SELECT substr(at, 1, 10) FROM section_read"
        )
        return {row[0] for row in rows}

    # The learner's own tries at a case study

    def save_attempt(self, lesson: str, question: str, text: str) -> None:
        """Keep what the learner wrote before looking at a solution."""
        self._write(
            "INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?)", (lesson, question, text, _stamp())
        )

    def attempt(self, lesson: str, question: str) -> str:
        """Return the learner's try, empty where there is none."""
        row = self._one(
            "SELECT text FROM attempt WHERE lesson = ? AND question = ?", (lesson, question)
        )
        return row[0] if row else ""

    # The whole

    def dump(self) -> dict[str, list[dict[str, Any]]]:
        """Return every row of every table."""
        return {table: self._rows(table) for table in TABLES}

    def merge(self, tables: dict[str, list[dict[str, Any]]]) -> int:
        """Add rows as `dump` gave them; of two rows for the same thing the later one stays.

        Returns the number of rows that were new or later. One transaction: all or nothing.
        """
        changed = 0
        with self._db:
            for table in TABLES:
                for row in tables.get(table, []):
                    changed += self._merge_row(table, row)
        return changed

    def is_empty(self) -> bool:
        """Whether nothing was ever kept."""
        return not any(self._one(f"SELECT 1 FROM {table} LIMIT 1") for table in TABLES)  # noqa: S608 (our own names)

    def _merge_row(self, table: str, row: dict[str, Any]) -> int:
        columns = [(name, bool(key)) for name, key in self._columns(table)]
        names = ", ".join(name for name, _ in columns)
        marks = ", ".join("?" for _ in columns)
        keys = ", ".join(name for name, key in columns if key)
        rest = [name for name, key in columns if not key]
        update = ", ".join(f"{name} = excluded.{name}" for name in rest)
        action = f"DO UPDATE SET {update} WHERE excluded.at > {table}.at" if rest else "DO NOTHING"
        if "at" not in rest:
            action = "DO NOTHING"
        cursor = self._db.execute(
            f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT ({keys}) {action}",  # noqa: S608 (our own names)
            [row[name] for name, _ in columns],
        )
        return cursor.rowcount

    def _columns(self, table: str) -> list[tuple[str, int]]:
        info = self._db.execute(f"PRAGMA table_info({table})")
        return [(row[1], row[5]) for row in info]

    def _rows(self, table: str) -> list[dict[str, Any]]:
        names = [name for name, _ in self._columns(table)]
        rows = self._db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY at")  # noqa: S608 (our own names)
        return [dict(zip(names, row, strict=True)) for row in rows]

    def _one(self, query: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._db.execute(query, values).fetchone()
        return row

    def _write(self, query: str, values: tuple[Any, ...]) -> None:
        with self._db:
            self._db.execute(query, values)


@contextlib.contextmanager
def open_store(folder: Path, warn: Callable[[str], None] = lambda _: None) -> Iterator[Store]:
    """Open the store in `folder`, making or migrating it.

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
        yield Store(db, path)
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
    db = sqlite3.connect(path, timeout=BUSY_SECONDS)
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
        if not found.issuperset(TABLES):
            raise sqlite3.DatabaseError("a table is missing")
    except BaseException:
        db.close()
        raise
    return db


def set_aside(path: Path, why: str) -> Path:
    """Rename a store to a free name that tells `why` and when; return the new path."""
    stamp = now().strftime("%Y%m%d-%H%M%S")
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
    return MissingFault(
        f"Progress cannot be kept in {path}: {reason}.",
        "TRITON_PATH_HOME=FOLDER triton-path ... keeps it in a folder of your choice",
    )
