from __future__ import annotations

import sqlite3
from typing import TYPE_CHECKING

import pytest

from triton_path.progress import migrations
from triton_path.progress.file import FILE_NAME
from triton_path.progress.migrations import MIGRATIONS, migrate
from triton_path.progress.store import open_store
from triton_path.progress.tables import LOCAL_TABLES, TABLES

if TYPE_CHECKING:
    from collections.abc import Iterator
    from pathlib import Path


@pytest.fixture
def db() -> Iterator[sqlite3.Connection]:
    connection = sqlite3.connect(":memory:")
    yield connection
    connection.close()


def version(db: sqlite3.Connection) -> int:
    return int(db.execute("PRAGMA user_version").fetchone()[0])


def tables(db: sqlite3.Connection) -> set[str]:
    return {row[0] for row in db.execute("SELECT name FROM sqlite_master WHERE type = 'table'")}


def test_an_empty_file_becomes_the_newest_schema(db: sqlite3.Connection) -> None:
    migrate(db, 0)
    assert version(db) == len(MIGRATIONS)
    assert tables(db) == {*TABLES, *LOCAL_TABLES}


def test_a_store_that_is_current_is_left_alone(db: sqlite3.Connection) -> None:
    migrate(db, 0)
    migrate(db, len(MIGRATIONS))
    assert version(db) == len(MIGRATIONS)


def test_a_step_that_another_copy_took_meanwhile_is_not_taken_twice(
    db: sqlite3.Connection,
) -> None:
    migrate(db, 0)
    migrate(db, 0)
    assert version(db) == len(MIGRATIONS)


def test_every_step_runs_once_in_order_from_where_the_store_is(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    taken: list[int] = []
    steps = tuple(lambda _, number=number: taken.append(number) for number in (1, 2, 3))
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    db.execute("PRAGMA user_version = 1")
    migrate(db, 1)
    assert taken == [2, 3]
    assert version(db) == 3


def test_a_step_that_fails_leaves_the_store_before_it(
    db: sqlite3.Connection, monkeypatch: pytest.MonkeyPatch
) -> None:
    def half(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE half (x)")
        raise RuntimeError("power cut")

    monkeypatch.setattr(migrations, "MIGRATIONS", (*MIGRATIONS, half))
    with pytest.raises(RuntimeError):
        migrate(db, 0)
    assert version(db) == len(MIGRATIONS)
    assert "half" not in tables(db)


def test_progress_survives_a_later_step(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    with open_store(home) as store:
        store.mark_read("shapes", "tiles")

    def later(connection: sqlite3.Connection) -> None:
        connection.execute("CREATE TABLE note (text TEXT)")

    steps = (*MIGRATIONS, later)
    monkeypatch.setattr(migrations, "MIGRATIONS", steps)
    monkeypatch.setattr("triton_path.progress.file.MIGRATIONS", steps)
    with open_store(home) as store:
        assert store.read_sections("shapes") == {"tiles"}
    with sqlite3.connect(home / FILE_NAME) as db:
        assert version(db) == len(steps)
        assert "note" in tables(db)
    db.close()
