from __future__ import annotations

import io
import json
import tempfile
from datetime import datetime, timedelta, timezone
from pathlib import Path
from types import SimpleNamespace
from typing import TYPE_CHECKING, Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triton_path.errors import UsageFault
from triton_path.progress import clock as clock_module
from triton_path.progress.exchange import SCHEMA, export_json, read_export, write_file
from triton_path.progress.store import Place, Store, open_store

if TYPE_CHECKING:
    from collections.abc import Callable

EARLY = "2026-01-01T00:00:00.000000+00:00"
LATE = "2026-02-01T00:00:00.000000+00:00"


def exported(home: Path, fill: Callable[[Store], None]) -> str:
    with open_store(home) as store:
        fill(store)
        return export_json(store)


def some_progress(store: Store) -> None:
    store.save_place(Place("shapes", "section/tiles", 1))
    store.mark_read("shapes", "tiles")
    store.record_answer("shapes", "q", ["a", "b"], correct=False)
    store.record_answer("shapes", "n", 2.5, correct=True)
    store.save_attempt("shapes", "why", "because ─ \U0001f600\n")
    store.exercises.see_hint("add", 1)
    store.exercises.see_solution("add", early=True)
    store.exercises.keep_check("add", passed=True, stars=2, fault="")


def write(tmp_path: Path, **tables: object) -> str:
    path = tmp_path / "export.json"
    path.write_text(json.dumps({"schema": SCHEMA, **tables}), encoding="utf-8")
    return str(path)


def place(at: str, step: str = "s", page: object = 0) -> dict[str, object]:
    return {"lesson": "a", "step": step, "page": page, "at": at}


def test_what_is_exported_can_be_imported_elsewhere(home: Path, tmp_path: Path) -> None:
    text = exported(home / "a", some_progress)
    file = tmp_path / "p.json"
    file.write_text(text, encoding="utf-8")
    with open_store(home / "b") as store:
        assert store.merge(read_export(str(file))) == 12
        assert export_json(store) == text


def test_an_export_names_its_schema(home: Path) -> None:
    assert json.loads(exported(home, some_progress))["schema"] == "triton-path/progress/1"


def test_an_import_from_stdin(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    data = io.BytesIO(exported(home, some_progress).encode())
    monkeypatch.setattr("sys.stdin", SimpleNamespace(buffer=data))
    assert len(read_export("-")["answer"]) == 2


@pytest.mark.parametrize(
    ("here", "there", "stays"), [(EARLY, LATE, "there"), (LATE, EARLY, "here")]
)
def test_of_two_records_of_one_thing_the_later_stays(
    home: Path, tmp_path: Path, here: str, there: str, stays: str
) -> None:
    with open_store(home) as store:
        store.merge({"place": [place(here, "here")]})
        count = store.merge(read_export(write(tmp_path, place=[place(there, "there")])))
        kept = store.place("a")
        assert kept is not None
        assert kept.step == stays
        assert count == (1 if stays == "there" else 0)


def test_answers_of_both_sides_stay(home: Path, tmp_path: Path) -> None:
    row = {"lesson": "a", "question": "q", "chosen": '"x"', "correct": 1, "at": LATE}
    with open_store(home) as store:
        store.merge({"answer": [{**row, "correct": 0, "at": EARLY}]})
        store.merge(read_export(write(tmp_path, answer=[row])))
        assert len(store.dump()["answer"]) == 2
        assert store.latest_answers("a") == {"q": True}


def test_an_older_answer_that_is_imported_later_does_not_count(home: Path, tmp_path: Path) -> None:
    row = {"lesson": "a", "question": "q", "chosen": '"x"', "correct": 1, "at": LATE}
    with open_store(home) as store:
        store.merge({"answer": [row]})
        store.merge(read_export(write(tmp_path, answer=[{**row, "correct": 0, "at": EARLY}])))
        assert store.latest_answers("a") == {"q": True}


def test_imported_reviews_go_on_where_they_were(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    at = datetime(2026, 3, 1, tzinfo=timezone.utc)
    monkeypatch.setattr(clock_module, "now", lambda: at)
    file = tmp_path / "p.json"
    file.write_text(exported(home / "a", some_progress), encoding="utf-8")
    with open_store(home / "b") as store:
        store.merge(read_export(str(file)))
        assert len(store.due(at + timedelta(days=400))) == 2
        store.record_answer("shapes", "q", ["a"], correct=True)


CARD = {"lesson": "a", "question": "q", "state": "{}", "due": LATE, "at": EARLY}
NAIVE_STATE = json.dumps({
    "card_id": 1, "state": 2, "step": None, "stability": 2.0, "difficulty": 5.0,
    "due": "2026-03-01T00:00:00", "last_review": "2026-02-01T00:00:00",
})  # fmt: skip
ANSWER = {"lesson": "a", "question": "q", "chosen": "1", "correct": 1, "at": EARLY}
CHECK = {"exercise": "a", "passed": 1, "stars": 1, "fault": "", "at": EARLY}

BAD_TABLES: list[dict[str, Any]] = [
    {"place": [place("yesterday")]},
    {"place": [place("2026-01-01T00:00:00")]},
    {"place": [place("2026-01-01T00:00:00+02:00")]},
    {"place": [place(EARLY, page="x")]},
    {"place": [place(EARLY, page=-1)]},
    {"place": [place(EARLY, page=1 << 70)]},
    {"place": [{**place(EARLY), "colour": "red"}]},
    {"place": [{"lesson": "a"}]},
    {"place": "x"},
    {"places": []},
    {"answer": [{**ANSWER, "chosen": "not json"}]},
    {"answer": [{**ANSWER, "chosen": "[" * 100_000}]},
    {"answer": [{**ANSWER, "correct": 2}]},
    {"card": [CARD]},
    {"card": [{**CARD, "state": "1"}]},
    {"card": [{**CARD, "state": '{"card_id": "x", "state": 9}'}]},
    {"card": [{**CARD, "state": NAIVE_STATE}]},
    {"exercise_begun": [{"exercise": "a"}]},
    {"exercise_begun": [{"lesson": "a", "at": EARLY}]},
    {"exercise_check": [{**CHECK, "stars": 4}]},
    {"exercise_check": [{**CHECK, "passed": 2}]},
    {"exercise_check": [{**CHECK, "fault": "\x1b[31m"}]},
    {"exercise_hint": [{"exercise": "a", "number": 0, "at": EARLY}]},
    {"exercise_hint": [{"exercise": "a", "number": 4, "at": EARLY}]},
    {"exercise_solution": [{"exercise": "a", "early": 2, "at": EARLY}]},
    {"exercise_card": [{"exercise": "a", "state": "{}", "due": LATE, "at": EARLY}]},
    {"setting": [{"name": "workspace", "value": "/", "at": EARLY}]},
]


@pytest.mark.parametrize("tables", BAD_TABLES)
def test_a_file_with_a_wrong_row_is_refused_whole(tmp_path: Path, tables: dict[str, Any]) -> None:
    with pytest.raises(UsageFault, match="is no export of triton-path") as caught:
        read_export(write(tmp_path, **tables))
    assert len(caught.value.message) < 600


@pytest.mark.parametrize(
    "data",
    [b"", b"{}", b"[]", b"null", b"\xff\xfe", b'{"schema": "triton-path/progress/2"}',
     b"[" * 100_000,
     b'{"schema": "triton-path/progress/1", "place": [{"lesson": "\\ud800"}]}'],
)  # fmt: skip
def test_a_file_that_is_no_export_is_refused(tmp_path: Path, data: bytes) -> None:
    file = tmp_path / "p.json"
    file.write_bytes(data)
    with pytest.raises(UsageFault, match="is no export of triton-path"):
        read_export(str(file))


def test_a_half_written_file_is_refused_at_every_length(home: Path, tmp_path: Path) -> None:
    data = exported(home, some_progress).encode()
    file = tmp_path / "p.json"
    for length in range(0, len(data) - 1, 37):
        file.write_bytes(data[:length])
        with pytest.raises(UsageFault):
            read_export(str(file))


def test_a_missing_file_is_a_usage_fault(tmp_path: Path) -> None:
    with pytest.raises(UsageFault, match="cannot be read: No such file"):
        read_export(str(tmp_path / "none.json"))


def test_a_file_is_written_whole_or_not_at_all(tmp_path: Path) -> None:
    file = tmp_path / "p.json"
    write_file(str(file), "old")
    write_file(str(file), "new")
    assert file.read_text() == "new"
    assert [path.name for path in tmp_path.iterdir()] == ["p.json"]


@pytest.mark.parametrize("name", ["none/p.json", "folder", ".", "/", "", "x" * 300])
def test_a_place_that_cannot_be_written_is_a_usage_fault(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.chdir(tmp_path)
    (tmp_path / "folder").mkdir()
    with pytest.raises(UsageFault, match="cannot be written"):
        write_file(name, "x")
    assert [path.name for path in tmp_path.iterdir()] == ["folder"]


NAMES = st.text(st.characters(exclude_categories=["Cs"]), max_size=8)
TIMES = st.datetimes(
    datetime(1970, 1, 1), datetime(2100, 1, 1), timezones=st.just(timezone.utc)
).map(lambda at: at.isoformat(timespec="microseconds"))
ROWS = {
    "place": st.fixed_dictionaries(
        {"lesson": NAMES, "step": NAMES, "page": st.integers(0, 9999), "at": TIMES}
    ),
    "section_read": st.fixed_dictionaries({"lesson": NAMES, "section": NAMES, "at": TIMES}),
    "answer": st.fixed_dictionaries({
        "lesson": NAMES, "question": NAMES, "correct": st.integers(0, 1), "at": TIMES,
        "chosen": (NAMES | st.lists(NAMES) | st.integers()).map(json.dumps),
    }),
    "attempt": st.fixed_dictionaries(
        {"lesson": NAMES, "question": NAMES, "text": NAMES, "at": TIMES}
    ),
    "exercise_begun": st.fixed_dictionaries({"exercise": NAMES, "at": TIMES}),
    "exercise_check": st.fixed_dictionaries({
        "exercise": NAMES, "passed": st.integers(0, 1), "stars": st.integers(0, 3),
        "fault": st.sampled_from(["", "wrong-values"]), "at": TIMES,
    }),
    "exercise_hint": st.fixed_dictionaries(
        {"exercise": NAMES, "number": st.integers(1, 3), "at": TIMES}
    ),
    "exercise_solution": st.fixed_dictionaries(
        {"exercise": NAMES, "early": st.integers(0, 1), "at": TIMES}
    ),
}  # fmt: skip
DUMPS = st.fixed_dictionaries({name: st.lists(row, max_size=4) for name, row in ROWS.items()})


@given(DUMPS, DUMPS)
def test_any_progress_goes_through_a_file_and_merges_in_either_order(
    one: dict[str, Any], two: dict[str, Any]
) -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        with (
            open_store(folder / "a") as first,
            open_store(folder / "b") as second,
            open_store(folder / "c") as copy,
        ):
            first.merge(one)
            first.merge(two)
            second.merge(two)
            second.merge(one)
            (folder / "p.json").write_text(export_json(first), encoding="utf-8")
            copy.merge(read_export(str(folder / "p.json")))
            assert export_json(copy) == export_json(first)
            ties = {row["at"] for table in one.values() for row in table}
            if not ties & {row["at"] for table in two.values() for row in table}:
                assert as_sets(second) == as_sets(first)


def as_sets(store: Store) -> dict[str, set[str]]:
    return {
        table: {json.dumps(row, sort_keys=True) for row in rows if table != "section_read"}
        for table, rows in store.dump().items()
    }
