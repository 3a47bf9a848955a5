"""The store's schema: numbered steps, only ever appended. PRAGMA user_version counts them."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    import sqlite3
    from collections.abc import Callable


def _first_tables(db: sqlite3.Connection) -> None:
    db.execute(
        """
        CREATE TABLE place (
            lesson TEXT PRIMARY KEY,
            step TEXT NOT NULL,
            page INTEGER NOT NULL,
            at TEXT NOT NULL
        )
        """
    )
    db.execute(
        """
        CREATE TABLE section_read (
            lesson TEXT NOT NULL,
            section TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (lesson, section)
        )
        """
    )
    db.execute(
        """
        CREATE TABLE answer (
            lesson TEXT NOT NULL,
            question TEXT NOT NULL,
            chosen TEXT NOT NULL,
            correct INTEGER NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (lesson, question, at)
        )
        """
    )
    db.execute(
        """
        CREATE TABLE card (
            lesson TEXT NOT NULL,
            question TEXT NOT NULL,
            state TEXT NOT NULL,
            due TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (lesson, question)
        )
        """
    )
    db.execute(
        """
        CREATE TABLE attempt (
            lesson TEXT NOT NULL,
            question TEXT NOT NULL,
            text TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (lesson, question)
        )
        """
    )


def _exercise_tables(db: sqlite3.Connection) -> None:
    db.execute(
        """
        CREATE TABLE exercise_begun (
            exercise TEXT PRIMARY KEY,
            at TEXT NOT NULL
        )
        """
    )
    db.execute(
        """
        CREATE TABLE exercise_check (
            exercise TEXT NOT NULL,
            passed INTEGER NOT NULL,
            stars INTEGER NOT NULL,
            fault TEXT NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (exercise, at)
        )
        """
    )
    db.execute(
        """
        CREATE TABLE exercise_hint (
            exercise TEXT NOT NULL,
            number INTEGER NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (exercise, number)
        )
        """
    )
    db.execute(
        """
        CREATE TABLE exercise_solution (
            exercise TEXT NOT NULL,
            early INTEGER NOT NULL,
            at TEXT NOT NULL,
            PRIMARY KEY (exercise, early)
        )
        """
    )
    db.execute(
        """
        CREATE TABLE exercise_card (
            exercise TEXT PRIMARY KEY,
            state TEXT NOT NULL,
            due TEXT NOT NULL,
            at TEXT NOT NULL
        )
        """
    )
    db.execute(
        """
        CREATE TABLE setting (
            name TEXT PRIMARY KEY,
            value TEXT NOT NULL,
            at TEXT NOT NULL
        )
        """
    )


MIGRATIONS: tuple[Callable[[sqlite3.Connection], None], ...] = (_first_tables, _exercise_tables)


def migrate(db: sqlite3.Connection, version: int) -> None:
    """Bring a store at `version` to the newest schema, a transaction for each step."""
    for number, step in enumerate(MIGRATIONS[version:], start=version + 1):
        with db:
            db.execute("BEGIN IMMEDIATE")
            if db.execute("PRAGMA user_version").fetchone()[0] >= number:
                continue  # another copy of the program was faster
            step(db)
            db.execute(f"PRAGMA user_version = {number}")
