from __future__ import annotations

import os
import sqlite3
import threading
from datetime import datetime, timedelta, timezone
from typing import TYPE_CHECKING

import pytest

from tests.conftest import run_python
from triton_path.errors import ExitCode, MissingFault
from triton_path.progress import clock as clock_module
from triton_path.progress import file as file_module
from triton_path.progress.file import FILE_NAME, set_aside
from triton_path.progress.migrations import MIGRATIONS
from triton_path.progress.store import Due, Place, Store, open_store

if TYPE_CHECKING:
    from pathlib import Path

START = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)


class Clock:
    def __init__(self) -> None:
        self.at = START

    def __call__(self) -> datetime:
        return self.at

    def go(self, **by: float) -> None:
        self.at += timedelta(**by)


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch) -> Clock:
    clock = Clock()
    monkeypatch.setattr(clock_module, "now", clock)
    return clock


def answer_once(home: Path) -> None:
    with open_store(home) as store:
        store.record_answer("shapes", "q", "block", correct=True)


def is_kept(home: Path) -> bool:
    with open_store(home) as store:
        return store.latest_answers("shapes") == {"q": True}


def test_a_new_store_is_empty_and_makes_its_folder(home: Path) -> None:
    with open_store(home / "deep" / "er") as store:
        assert store.is_empty()
        assert store.last_place() is None
        assert store.place("shapes") is None
        assert store.due() == []
        assert store.next_due() is None
        assert store.days_of_practice() == set()
        assert store.attempt("shapes", "q") == ""
    assert (home / "deep" / "er" / FILE_NAME).is_file()


def test_the_journal_is_rolled_back_and_every_write_is_synced(home: Path) -> None:
    with open_store(home) as store:
        (mode,) = store._db.execute("PRAGMA journal_mode").fetchone()
        (synchronous,) = store._db.execute("PRAGMA synchronous").fetchone()
    assert (mode, synchronous) == ("delete", 2)


def test_a_place_is_kept_between_runs(home: Path) -> None:
    with open_store(home) as store:
        store.save_place(Place("shapes", "section/tiles", 1))
        store.save_place(Place("shapes", "section/lanes", 2))
    with open_store(home) as store:
        assert store.place("shapes") == Place("shapes", "section/lanes", 2)
        assert not store.is_empty()


def test_a_write_is_on_disk_before_the_store_is_closed(home: Path) -> None:
    with open_store(home) as first:
        first.save_place(Place("shapes", "section/tiles", 0))
        with open_store(home) as second:
            assert second.place("shapes") == Place("shapes", "section/tiles", 0)


def test_what_was_written_survives_a_killed_process(home: Path) -> None:
    killed = run_python(
        "-c",
        "import os, signal, pathlib\n"
        "from triton_path.progress.store import Place, open_store\n"
        f"with open_store(pathlib.Path({str(home)!r})) as store:\n"
        "    store.save_place(Place('shapes', 'section/lanes', 3))\n"
        "    os.kill(os.getpid(), signal.SIGKILL)\n",
    )
    assert killed.returncode < 0
    with open_store(home) as store:
        assert store.place("shapes") == Place("shapes", "section/lanes", 3)


def test_the_last_place_is_the_one_saved_last(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.save_place(Place("a", "x", 0))
        clock.go(seconds=1)
        store.save_place(Place("b", "x", 0))
        assert store.last_place() == Place("b", "x", 0)
        clock.go(seconds=1)
        store.save_place(Place("a", "y", 0))
        assert store.last_place() == Place("a", "y", 0)


def test_two_places_saved_in_the_same_moment_keep_their_order(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.save_place(Place("b", "x", 0))
        store.save_place(Place("a", "x", 0))
        assert store.last_place() == Place("a", "x", 0)


def test_the_last_place_is_right_after_the_clock_was_set_back(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.save_place(Place("a", "x", 0))
        clock.go(days=-30)
        store.save_place(Place("b", "x", 0))
        assert store.last_place() == Place("b", "x", 0)


def test_a_section_is_read_once_and_its_first_time_stays(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.mark_read("shapes", "tiles")
        clock.go(days=1)
        store.mark_read("shapes", "tiles")
        assert store.read_sections("shapes") == {"tiles"}
        assert store.read_sections("other") == set()
        assert store.days_of_practice() == {"2026-03-01"}


def test_the_latest_answer_counts(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.record_answer("shapes", "q", "grid", correct=False)
        clock.go(seconds=1)
        store.record_answer("shapes", "q", "block", correct=True)
        store.record_answer("shapes", "r", 5, correct=False)
        assert store.latest_answers("shapes") == {"q": True, "r": False}
        assert len(store.dump()["answer"]) == 3


def test_the_latest_answer_counts_after_the_clock_was_set_back(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.record_answer("shapes", "q", "grid", correct=False)
        clock.go(days=-30)
        store.record_answer("shapes", "q", "block", correct=True)
        assert store.latest_answers("shapes") == {"q": True}


def test_an_answer_is_due_again_but_not_on_the_same_day(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.record_answer("shapes", "q", "block", correct=True)
        assert store.due() == []
        next_due = store.next_due()
        assert next_due is not None
        assert timedelta(hours=20) < next_due - START < timedelta(days=30)
        assert store.due(next_due - timedelta(microseconds=1)) == []
        assert store.due(next_due) == [Due("shapes", "q")]


def test_due_takes_a_time_of_any_zone(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.record_answer("shapes", "q", "block", correct=True)
        due = store.next_due()
        assert due is not None
        east = timezone(timedelta(hours=14))
        assert store.due(due.astimezone(east)) == [Due("shapes", "q")]
        assert store.due((due - timedelta(minutes=1)).astimezone(east)) == []


def test_the_longest_due_comes_first(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.record_answer("shapes", "late", "x", correct=True)
        store.record_answer("shapes", "early", "x", correct=False)
        due = store.due(START + timedelta(days=400))
        assert [item.question for item in due] == ["early", "late"]


def test_a_review_with_the_clock_set_back_does_not_fail_or_go_into_the_past(
    home: Path, clock: Clock
) -> None:
    with open_store(home) as store:
        store.record_answer("shapes", "q", "block", correct=True)
        first = store.next_due()
        clock.go(days=-400)
        store.record_answer("shapes", "q", "block", correct=True)
        second = store.next_due()
        assert first is not None
        assert second is not None
        assert second >= START


def test_days_are_counted_once_from_answers_and_sections(home: Path, clock: Clock) -> None:
    with open_store(home) as store:
        store.mark_read("shapes", "tiles")
        store.record_answer("shapes", "q", "block", correct=True)
        clock.go(days=2)
        store.record_answer("shapes", "q", "block", correct=True)
        assert store.days_of_practice() == {"2026-03-01", "2026-03-03"}


def test_a_try_is_kept_as_it_was_written(home: Path) -> None:
    text = "bytes:\n\t'ü' \"─\" \0 \U0001f600"
    with open_store(home) as store:
        store.save_attempt("shapes", "why", "first")
        store.save_attempt("shapes", "why", text)
    with open_store(home) as store:
        assert store.attempt("shapes", "why") == text


CORRUPT = [
    b"this is not a database, whatever its name says. " * 100,
    b"SQLite format 3\x00" + b"\xff" * 5000,
    b"\x00" * 4096,
]


@pytest.mark.parametrize("content", CORRUPT)
def test_a_corrupt_file_is_set_aside_whole_and_said_so(home: Path, content: bytes) -> None:
    home.mkdir()
    (home / FILE_NAME).write_bytes(content)
    notes: list[str] = []
    with open_store(home, notes.append) as store:
        assert store.is_empty()
        store.mark_read("shapes", "tiles")
    (aside,) = [path for path in home.iterdir() if path.name != FILE_NAME]
    assert aside.name.startswith("progress.db.corrupt-")
    assert aside.read_bytes() == content
    (note,) = notes
    assert str(aside) in note
    assert "triton-path progress import" in note


def damage(home: Path, at: int) -> bytes:
    with open_store(home) as store:
        for number in range(200):
            store.save_attempt("shapes", f"q{number}", "x" * 200)
    data = bytearray((home / FILE_NAME).read_bytes())
    data[at : at + 2000] = b"\xa5" * 2000
    (home / FILE_NAME).write_bytes(data)
    return bytes(data)


@pytest.mark.parametrize("at", [100, 4096, 20_000])
def test_a_damaged_page_is_found_when_the_store_is_opened(home: Path, at: int) -> None:
    data = damage(home, at)
    notes: list[str] = []
    with open_store(home, notes.append) as store:
        assert store.is_empty()
    (aside,) = [path for path in home.iterdir() if path.name != FILE_NAME]
    assert aside.read_bytes() == data
    assert len(notes) == 1


def test_a_truncated_file_is_set_aside(home: Path) -> None:
    data = damage(home, 20_000)[:10_000]
    (home / FILE_NAME).write_bytes(data)
    notes: list[str] = []
    with open_store(home, notes.append):
        pass
    assert len(notes) == 1
    assert [p.read_bytes() for p in home.iterdir() if "corrupt" in p.name] == [data]


def test_a_store_without_one_of_its_tables_is_set_aside(home: Path) -> None:
    answer_once(home)
    with sqlite3.connect(home / FILE_NAME) as db:
        db.execute("DROP TABLE card")
    db.close()
    notes: list[str] = []
    with open_store(home, notes.append) as store:
        store.record_answer("shapes", "q", "block", correct=True)
    assert len(notes) == 1


def test_corrupt_files_set_aside_in_the_same_second_are_all_kept(home: Path, clock: Clock) -> None:
    home.mkdir()
    for content in (b"one" * 500, b"two" * 500, b"six" * 500):
        (home / FILE_NAME).write_bytes(content)
        with open_store(home):
            pass
    kept = {path.read_bytes()[:3] for path in home.iterdir() if "corrupt" in path.name}
    assert kept == {b"one", b"two", b"six"}


def test_a_store_of_a_newer_version_is_refused_and_left_as_it_is(home: Path) -> None:
    answer_once(home)
    with sqlite3.connect(home / FILE_NAME) as db:
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
        db.execute("DROP TABLE card")
    db.close()
    before = (home / FILE_NAME).read_bytes()
    with pytest.raises(MissingFault, match="newer triton-path") as caught, open_store(home):
        pass
    assert caught.value.hint == "pip install --upgrade triton-path"
    assert (home / FILE_NAME).read_bytes() == before
    assert [path.name for path in home.iterdir()] == [FILE_NAME]


def test_a_newer_store_in_another_journal_mode_is_left_as_it_is(home: Path) -> None:
    answer_once(home)
    with sqlite3.connect(home / FILE_NAME) as db:
        db.execute("PRAGMA journal_mode = WAL")
        db.execute(f"PRAGMA user_version = {len(MIGRATIONS) + 1}")
    db.close()
    before = (home / FILE_NAME).read_bytes()
    with pytest.raises(MissingFault, match="newer triton-path"), open_store(home):
        pass
    assert (home / FILE_NAME).read_bytes() == before


def test_a_file_in_place_of_the_folder_is_a_missing_fault(home: Path) -> None:
    home.write_text("in the way")
    with (
        pytest.raises(MissingFault, match="Progress cannot be kept in") as caught,
        open_store(home),
    ):
        pass
    assert caught.value.exit_code == ExitCode.MISSING
    assert "TRITON_PATH_HOME" in (caught.value.hint or "")
    assert home.read_text() == "in the way"


def test_a_folder_in_place_of_the_file_is_a_missing_fault(home: Path) -> None:
    (home / FILE_NAME).mkdir(parents=True)
    with pytest.raises(MissingFault), open_store(home):
        pass


@pytest.mark.skipif(os.geteuid() == 0, reason="root may write into any folder")
def test_a_folder_that_may_not_be_written_is_a_missing_fault(home: Path) -> None:
    home.mkdir(mode=0o500)
    with pytest.raises(MissingFault), open_store(home):
        pass


def test_a_name_that_is_too_long_is_a_missing_fault(home: Path) -> None:
    with pytest.raises(MissingFault), open_store(home / ("x" * 300)):
        pass


def test_two_copies_of_the_program_write_in_turn(home: Path) -> None:
    def read_many(name: str) -> None:
        with open_store(home) as store:
            for number in range(20):
                store.mark_read(name, f"s{number}")

    threads = [threading.Thread(target=read_many, args=(name,)) for name in ("a", "b", "c")]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    with open_store(home) as store:
        assert [len(store.read_sections(name)) for name in ("a", "b", "c")] == [20, 20, 20]


def test_a_locked_store_is_a_missing_fault_after_a_while(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_once(home)
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.1)
    other = sqlite3.connect(home / FILE_NAME, isolation_level=None)
    other.execute("BEGIN EXCLUSIVE")
    with pytest.raises(MissingFault, match="locked"), open_store(home):
        pass
    other.execute("ROLLBACK")
    other.close()
    assert is_kept(home)


def test_a_store_that_is_locked_later_is_a_missing_fault_too(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    answer_once(home)
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.1)
    other = sqlite3.connect(home / FILE_NAME, isolation_level=None)

    def read_while_another_writes() -> None:
        with open_store(home) as store:
            other.execute("BEGIN EXCLUSIVE")
            store.mark_read("shapes", "tiles")

    with pytest.raises(MissingFault, match="locked"):
        read_while_another_writes()
    other.close()
    assert is_kept(home)


@pytest.mark.parametrize("mode", ["EXCLUSIVE", "IMMEDIATE"])
def test_a_lock_is_told_where_the_statement_runs_and_the_store_goes_on(
    home: Path, monkeypatch: pytest.MonkeyPatch, mode: str
) -> None:
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.1)
    with open_store(home) as store:
        other = sqlite3.connect(home / FILE_NAME, isolation_level=None)
        other.execute(f"BEGIN {mode}")
        for write in (
            lambda: store.exercises.keep_check("add", passed=True, stars=1, fault=""),
            lambda: store.mark_read("shapes", "tiles"),
        ):
            with pytest.raises(MissingFault, match="database is locked") as caught:
                write()
            assert "try again" in (caught.value.hint or "")
        other.execute("ROLLBACK")
        other.close()
        store.exercises.keep_check("add", passed=True, stars=1, fault="")
        assert store.exercises.of("add").checks == 1
        assert store.read_sections("shapes") == set()


def test_a_reader_that_keeps_a_commit_waiting_is_told_too(
    home: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(file_module, "BUSY_SECONDS", 0.1)
    with open_store(home) as store:
        for section in ("tiles", "lanes"):
            store.mark_read("shapes", section)
        other = sqlite3.connect(home / FILE_NAME, isolation_level=None)
        rows = other.execute("SELECT section FROM section_read")
        next(rows)
        with pytest.raises(MissingFault, match="database is locked"):
            store.exercises.begin("add")
        rows.close()
        other.close()
        assert not store.exercises.of("add").begun


def test_a_store_that_is_set_aside_keeps_its_content(home: Path, clock: Clock) -> None:
    answer_once(home)
    before = (home / FILE_NAME).read_bytes()
    aside = set_aside(home / FILE_NAME, "reset")
    assert aside == home / "progress.db.reset-20260301-090000"
    assert aside.read_bytes() == before
    assert not (home / FILE_NAME).exists()


def test_merging_is_all_or_nothing(home: Path) -> None:
    good = {"lesson": "a", "section": "s", "at": "2026-01-01T00:00:00.000000+00:00"}
    with open_store(home) as store:
        with pytest.raises(KeyError):
            store.merge({"section_read": [good, {"lesson": "b"}]})
        assert store.is_empty()


def fill(store: Store) -> None:
    store.save_place(Place("shapes", "section/tiles", 1))
    store.mark_read("shapes", "tiles")
    store.record_answer("shapes", "q", ["a", "b"], correct=False)
    store.save_attempt("shapes", "why", "because")


def test_a_dump_merged_into_an_empty_store_gives_the_same_dump(home: Path) -> None:
    with open_store(home / "a") as first, open_store(home / "b") as second:
        fill(first)
        assert second.merge(first.dump()) == 5
        assert second.dump() == first.dump()
        assert second.merge(first.dump()) == 0
