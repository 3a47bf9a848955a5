"""The learner's progress: lessons and their questions here, exercises in `exercises`."""

from __future__ import annotations

import contextlib
import json
from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Any

from triton_path.progress import tables
from triton_path.progress.clock import not_before, stamp
from triton_path.progress.exercises import ExerciseRecords
from triton_path.progress.file import open_file

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable, Iterator
    from pathlib import Path


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


class Store:
    """An open store. Every method that writes has written to disk when it returns."""

    def __init__(self, db: sqlite3.Connection, path: Path) -> None:
        self._db = db
        self.path = path
        self.exercises = ExerciseRecords(db)

    # Where the learner stands

    def save_place(self, place: Place) -> None:
        """Remember where the learner stands in a lesson."""
        newest = self._one("SELECT max(at) FROM place")
        at = not_before(newest[0] if newest else None)
        self._write(
            "INSERT OR REPLACE INTO place VALUES (?, ?, ?, ?)",
            (place.lesson, place.step, place.page, stamp(at)),
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
            "INSERT OR IGNORE INTO section_read VALUES (?, ?, ?)", (lesson, section, stamp())
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
        at = not_before(row[1] if row else None)
        state, due = next_review(row[0] if row else None, correct=correct, at=at)
        with self._db:
            self._db.execute(
                "INSERT OR REPLACE INTO answer VALUES (?, ?, ?, ?, ?)",
                (lesson, question, json.dumps(chosen), int(correct), stamp(at)),
            )
            self._db.execute(
                "INSERT OR REPLACE INTO card VALUES (?, ?, ?, ?, ?)",
                (lesson, question, state, stamp(due), stamp(at)),
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
            "SELECT lesson, question FROM card WHERE due <= ? ORDER BY due", (stamp(at),)
        )
        return [Due(*row) for row in rows]

    def next_due(self) -> datetime | None:
        """Return when the next review is due, past or to come."""
        row = self._one("SELECT min(due) FROM card")
        return datetime.fromisoformat(row[0]) if row and row[0] else None

    def days_of_practice(self) -> set[str]:
        """Return the UTC days (YYYY-MM-DD) on which something was read, answered or checked."""
        rows = self._db.execute(
            "SELECT substr(at, 1, 10) FROM answer UNION SELECT substr(at, 1, 10) FROM section_read"
            " UNION SELECT substr(at, 1, 10) FROM exercise_check"
        )
        return {row[0] for row in rows}

    # The learner's own tries at a case study

    def save_attempt(self, lesson: str, question: str, text: str) -> None:
        """Keep what the learner wrote before looking at a solution."""
        self._write(
            "INSERT OR REPLACE INTO attempt VALUES (?, ?, ?, ?)", (lesson, question, text, stamp())
        )

    def attempt(self, lesson: str, question: str) -> str:
        """Return the learner's try, empty where there is none."""
        row = self._one(
            "SELECT text FROM attempt WHERE lesson = ? AND question = ?", (lesson, question)
        )
        return row[0] if row else ""

    # What holds on this machine alone

    def setting(self, name: str) -> str | None:
        """Return a setting, None where it was never set."""
        row = self._one("SELECT value FROM setting WHERE name = ?", (name,))
        return row[0] if row else None

    def keep_setting(self, name: str, value: str) -> None:
        """Remember a setting; an export does not hold it."""
        self._write("INSERT OR REPLACE INTO setting VALUES (?, ?, ?)", (name, value, stamp()))

    # The whole

    def dump(self) -> tables.Tables:
        """Return every row that an export holds."""
        return tables.dump(self._db)

    def merge(self, exported: tables.Tables) -> int:
        """Add rows as `dump` gave them; return how many were new or later. All or nothing."""
        return tables.merge(self._db, exported)

    def is_empty(self) -> bool:
        """Whether the learner never did anything."""
        return tables.is_empty(self._db)

    def _one(self, query: str, values: tuple[Any, ...] = ()) -> tuple[Any, ...] | None:
        row: tuple[Any, ...] | None = self._db.execute(query, values).fetchone()
        return row

    def _write(self, query: str, values: tuple[Any, ...]) -> None:
        with self._db:
            self._db.execute(query, values)


@contextlib.contextmanager
def open_store(folder: Path, warn: Callable[[str], None] = lambda _: None) -> Iterator[Store]:
    """Open the store in `folder`, making or migrating it; `warn` is told of a broken one.

    Raises MissingFault where that is not possible.
    """
    with open_file(folder, warn) as (db, path):
        yield Store(db, path)
