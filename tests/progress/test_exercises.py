from __future__ import annotations

from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from triton_path.progress import clock as clock_module
from triton_path.progress.exercises import ExerciseRecord
from triton_path.progress.store import Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

START = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)


@pytest.fixture
def go(monkeypatch: pytest.MonkeyPatch) -> Callable[..., None]:
    """Move the clock, which stands still otherwise."""
    at = [START]
    monkeypatch.setattr(clock_module, "now", lambda: at[0])

    def move(**by: float) -> None:
        at[0] += timedelta(**by)

    return move


@pytest.fixture
def store(home: Path) -> Iterator[Store]:
    with open_store(home) as opened:
        yield opened


def check(store: Store, *, passed: bool = False, stars: int = 0, fault: str = "x") -> None:
    store.exercises.keep_check(
        "add", passed=passed, stars=stars or int(passed), fault="" if passed else fault
    )


def record(store: Store) -> ExerciseRecord:
    return store.exercises.of("add")


def test_nothing_is_known_of_an_exercise_that_was_never_begun(store: Store) -> None:
    assert record(store) == ExerciseRecord()
    assert store.exercises.all() == {}


def test_begun_is_not_passed(store: Store) -> None:
    store.exercises.begin("add")
    assert record(store).begun
    assert not record(store).passed
    assert not store.is_empty()


def test_checks_are_counted_and_the_last_fault_is_known(store: Store, go: Callable) -> None:
    check(store, fault="does-not-import")
    go(minutes=1)
    check(store, fault="wrong-values")
    assert (record(store).checks, record(store).fault) == (2, "wrong-values")
    assert record(store).begun


@pytest.mark.usefixtures("go")
def test_checks_in_one_moment_are_all_kept_in_order(store: Store) -> None:
    for fault in ("a", "b", "c"):
        check(store, fault=fault)
    assert (record(store).checks, record(store).fault) == (3, "c")


def test_checks_keep_their_order_where_the_clock_is_set_back(store: Store, go: Callable) -> None:
    check(store, fault="a")
    go(days=-30)
    check(store, fault="b")
    assert record(store).fault == "b"


def test_passed_stays_passed_and_the_most_stars_stay(store: Store) -> None:
    check(store, passed=True, stars=2)
    check(store, passed=True, stars=1)
    check(store)
    assert record(store).passed
    assert record(store).stars == 2
    assert record(store).fault == "x"


def test_hints_are_remembered_until_the_exercise_is_begun_anew(store: Store) -> None:
    store.exercises.see_hint("add", 1)
    store.exercises.see_hint("add", 2)
    assert (record(store).hints, record(store).begun) == (2, True)
    store.exercises.begin("add")
    assert record(store).hints == 0
    store.exercises.see_hint("add", 1)
    assert record(store).hints == 1


def test_an_early_look_at_the_solution_is_remembered(store: Store) -> None:
    store.exercises.see_solution("add", early=True)
    assert record(store).solution_early
    store.exercises.begin("add")
    assert not record(store).solution_early
    store.exercises.see_solution("add", early=False)
    assert not record(store).solution_early
    rows = store.dump()["exercise_solution"]
    assert sorted(row["early"] for row in rows) == [0, 1]


def test_a_pass_comes_back_on_another_day(store: Store, go: Callable) -> None:
    check(store, passed=True)
    due = record(store).due
    assert due is not None
    assert due - START > timedelta(hours=20)


def test_a_fault_sets_no_review(store: Store) -> None:
    check(store)
    assert record(store).due is None


@pytest.mark.usefixtures("go")
def test_what_was_passed_with_help_comes_back_sooner(store: Store, home: Path) -> None:
    check(store, passed=True)
    alone = record(store).due
    with open_store(home / "hints") as other:
        for number in (1, 2, 3):
            other.exercises.see_hint("add", number)
        check(other, passed=True)
        with_hints = record(other).due
    with open_store(home / "solution") as other:
        other.exercises.see_solution("add", early=True)
        check(other, passed=True)
        with_solution = record(other).due
    with open_store(home / "nudge") as other:
        other.exercises.see_hint("add", 1)
        check(other, passed=True)
        with_nudge = record(other).due
    assert alone
    assert with_hints
    assert with_solution
    assert with_nudge
    second = timedelta(seconds=1)
    assert with_hints < alone - second
    assert with_solution < alone - second
    assert abs(with_nudge - alone) < second


def test_the_same_solution_checked_again_is_no_review(store: Store, go: Callable) -> None:
    check(store, passed=True)
    first = record(store).due
    go(days=30)
    check(store, passed=True)
    check(store)
    check(store, passed=True)
    assert record(store).due == first


def test_a_pass_after_it_was_begun_anew_is_a_review(store: Store, go: Callable) -> None:
    check(store, passed=True)
    first = record(store).due
    assert first is not None
    go(days=4)
    store.exercises.begin("add")
    assert record(store).anew
    check(store)
    assert record(store).due == first
    check(store, passed=True)
    second = record(store).due
    assert not record(store).anew
    assert second is not None
    assert second - (START + timedelta(days=4)) > first - START


def test_a_check_is_kept_whole_or_not_at_all(store: Store, monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: object, **__: object) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr("triton_path.progress.schedule.next_review", fail)
    with pytest.raises(KeyboardInterrupt):
        check(store, passed=True)
    assert record(store) == ExerciseRecord()


def test_checks_count_as_days_of_practice(store: Store, go: Callable) -> None:
    check(store)
    go(days=2)
    check(store)
    assert store.days_of_practice() == {"2026-03-01", "2026-03-03"}


def test_a_setting_is_kept_between_runs_and_is_not_exported(home: Path) -> None:
    with open_store(home) as store:
        assert store.setting("workspace") is None
        store.keep_setting("workspace", "/a")
        store.keep_setting("workspace", "/b")
    with open_store(home) as store:
        assert store.setting("workspace") == "/b"
        assert store.is_empty()
        assert "setting" not in store.dump()


def test_a_store_from_before_there_were_exercises_is_brought_up_to_date(home: Path) -> None:
    import sqlite3

    from triton_path.progress.file import FILE_NAME
    from triton_path.progress.migrations import MIGRATIONS

    home.mkdir()
    old = sqlite3.connect(home / FILE_NAME)
    with old:
        MIGRATIONS[0](old)
        old.execute("INSERT INTO section_read VALUES ('shapes', 'tiles', '2026-01-01')")
        old.execute("PRAGMA user_version = 1")
    old.close()
    notes: list[str] = []
    with open_store(home, notes.append) as store:
        assert store.read_sections("shapes") == {"tiles"}
        check(store)
        assert record(store).checks == 1
    assert notes == []


def test_a_look_at_a_solution_after_a_pass_is_no_work(store: Store) -> None:
    check(store, passed=True)
    before = record(store).last
    store.exercises.see_solution("add", early=False)
    assert record(store).last == before
    store.exercises.see_hint("add", 1)
    assert record(store).last > before
