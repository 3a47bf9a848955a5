"""Every row of the store as plain data: what an export holds and an import brings back."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    import sqlite3

TABLES = (
    "place",
    "section_read",
    "answer",
    "card",
    "attempt",
    "exercise_begun",
    "exercise_check",
    "exercise_hint",
    "exercise_solution",
    "exercise_card",
)
"""What a learner did, and an export holds. Each has a column `at`."""
LOCAL_TABLES = ("setting",)
"""What holds on this machine alone, such as the name of a folder."""

Tables = dict[str, list[dict[str, Any]]]


def dump(db: sqlite3.Connection) -> Tables:
    """Return every row of every table in TABLES."""
    return {table: _rows(db, table) for table in TABLES}


def merge(db: sqlite3.Connection, tables: Tables) -> int:
    """Add rows as `dump` gave them; of two rows for the same thing the later one stays.

    Returns the number of rows that were new or later. One transaction: all or nothing.
    """
    with db:
        return sum(_merge_row(db, table, row) for table in TABLES for row in tables.get(table, []))


def is_empty(db: sqlite3.Connection) -> bool:
    """Whether the learner never did anything."""
    # The names are our own.
    return not any(db.execute(f"SELECT 1 FROM {name} LIMIT 1").fetchone() for name in TABLES)  # noqa: S608


def _merge_row(db: sqlite3.Connection, table: str, row: dict[str, Any]) -> int:
    columns = [(name, bool(key)) for name, key in _columns(db, table)]
    names = ", ".join(name for name, _ in columns)
    marks = ", ".join("?" for _ in columns)
    keys = ", ".join(name for name, key in columns if key)
    rest = [name for name, key in columns if not key]
    update = ", ".join(f"{name} = excluded.{name}" for name in rest)
    action = f"DO UPDATE SET {update} WHERE excluded.at > {table}.at" if rest else "DO NOTHING"
    if "at" not in rest:
        action = "DO NOTHING"
    cursor = db.execute(
        f"INSERT INTO {table} ({names}) VALUES ({marks}) ON CONFLICT ({keys}) {action}",  # noqa: S608 (our own names)
        [row[name] for name, _ in columns],
    )
    return cursor.rowcount


def _columns(db: sqlite3.Connection, table: str) -> list[tuple[str, int]]:
    return [(row[1], row[5]) for row in db.execute(f"PRAGMA table_info({table})")]


def _rows(db: sqlite3.Connection, table: str) -> list[dict[str, Any]]:
    names = [name for name, _ in _columns(db, table)]
    rows = db.execute(f"SELECT {', '.join(names)} FROM {table} ORDER BY at")  # noqa: S608 (our own names)
    return [dict(zip(names, row, strict=True)) for row in rows]
