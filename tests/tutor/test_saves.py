from __future__ import annotations

import os
import time
from typing import TYPE_CHECKING

import pytest

from triton_path.tutor import saves as saves_module
from triton_path.tutor.saves import FileState, Saves, look, polling_forced, settled

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

PATIENCE_SECONDS = 10.0


@pytest.fixture
def file(tmp_path: Path) -> Path:
    path = tmp_path / "work" / "kernel.py"
    path.parent.mkdir()
    path.write_text("one = 1\n")
    return path


@pytest.fixture(params=["events", "polling", "events that never come"])
def watched(
    request: pytest.FixtureRequest, file: Path, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Saves]:
    monkeypatch.delenv("WATCHFILES_FORCE_POLLING", raising=False)
    if request.param == "polling":
        monkeypatch.setenv("WATCHFILES_FORCE_POLLING", "1")
    if request.param == "events that never come":
        elsewhere = file.parent.parent / "elsewhere"
        elsewhere.mkdir()
        monkeypatch.setattr(saves_module, "_folder", lambda _: elsewhere)
    with Saves(file) as saves:
        yield saves


def news(saves: Saves) -> FileState:
    deadline = time.monotonic() + PATIENCE_SECONDS
    while time.monotonic() < deadline:
        state = saves.take()
        if state is not None:
            return state
        time.sleep(0.005)
    raise AssertionError("no news")


def no_news(saves: Saves, seconds: float = 0.7) -> None:
    time.sleep(seconds)
    assert saves.take() is None


def write(path: Path) -> None:
    path.write_text("two = 22\n")


def rename(path: Path) -> None:
    partial = path.with_name("partial")
    partial.write_text("two = 22\n")
    partial.replace(path)


def write_slowly(path: Path) -> None:
    """Empty for a moment, then in two parts."""
    with path.open("w") as handle:
        time.sleep(0.1)
        handle.write("two ")
        handle.flush()
        time.sleep(0.01)
        handle.write("= 22\n")


def delete_and_create(path: Path) -> None:
    path.unlink()
    time.sleep(0.1)
    path.write_text("two = 22\n")


def with_backup(path: Path) -> None:
    path.rename(path.with_name("kernel.py~"))
    path.write_text("two = 22\n")


@pytest.mark.parametrize("save", [write, rename, write_slowly, delete_and_create, with_backup])
def test_one_save_is_one_piece_of_news(
    watched: Saves, file: Path, save: Callable[[Path], None]
) -> None:
    assert watched.take() is None
    save(file)
    state = news(watched)
    assert state == look(file)
    assert state.kind == "ready"
    assert file.read_text() == "two = 22\n"
    no_news(watched)


def test_what_cannot_be_checked_is_news_and_so_is_its_return(watched: Saves, file: Path) -> None:
    file.unlink()
    assert news(watched).kind == "missing"
    file.mkdir()
    assert news(watched) == FileState("no file", reason="a folder")
    file.rmdir()
    assert news(watched).kind == "missing"
    file.write_text("")
    assert news(watched).kind == "empty"
    file.write_text("three = 3\n")
    assert news(watched).kind == "ready"


def test_the_folder_may_go_and_come_back(watched: Saves, file: Path) -> None:
    file.unlink()
    file.parent.rmdir()
    assert news(watched).kind == "missing"
    file.parent.mkdir()
    file.write_text("two = 22\n")
    assert news(watched).kind == "ready"


def test_other_files_are_no_news(watched: Saves, file: Path) -> None:
    for number in range(5):
        (file.parent / f"other_{number}.py").write_text("x")
    no_news(watched)


def test_the_descriptor_is_readable_while_there_is_news(watched: Saves, file: Path) -> None:
    import select

    assert select.select([watched.fd], [], [], 0)[0] == []
    write(file)
    assert select.select([watched.fd], [], [], PATIENCE_SECONDS)[0] == [watched.fd]
    assert watched.pending
    assert watched.wait().kind == "ready"
    assert not watched.pending
    assert select.select([watched.fd], [], [], 0)[0] == []


def test_without_watchfiles_the_file_is_looked_at(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setitem(__import__("sys").modules, "watchfiles", None)
    with Saves(file) as saves:
        write(file)
        assert news(saves).kind == "ready"


def test_a_file_that_may_not_be_read_says_so(file: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(os, "access", lambda *_: False)
    assert look(file).kind == "unreadable"
    assert look(file).reason == "permission denied"


@pytest.mark.parametrize(
    ("value", "forced"), [("", False), ("1", True), ("true", True), ("FALSE", False),
                          ("disable", False)],
)  # fmt: skip
def test_the_variable_of_watchfiles(
    value: str, forced: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("WATCHFILES_FORCE_POLLING", value)
    assert polling_forced() is forced


class Clock:
    """A clock that moves only while someone sleeps."""

    def __init__(self, states: list[tuple[float, FileState]]) -> None:
        self.now = 0.0
        self.states = states

    def sleep(self, seconds: float) -> None:
        self.now += seconds

    def see(self) -> FileState:
        return [state for at, state in self.states if at <= self.now][-1]


def rest_of(*states: tuple[float, FileState]) -> tuple[FileState, float]:
    clock = Clock(list(states))
    state = settled(clock.see, clock=lambda: clock.now, sleep=clock.sleep)
    return state, clock.now


FIRST, SECOND = FileState("ready", (1,)), FileState("ready", (2,))
EMPTY, GONE = FileState("empty", (0,)), FileState("missing")


def test_a_file_has_settled_once_it_is_quiet() -> None:
    state, at = rest_of((0, FIRST))
    assert state == FIRST
    assert at == pytest.approx(0.02, abs=0.006)
    state, at = rest_of((0, FIRST), (0.012, SECOND))
    assert state == SECOND
    assert at == pytest.approx(0.035, abs=0.008)


def test_a_file_that_is_gone_for_a_moment_is_waited_for() -> None:
    assert rest_of((0, GONE), (0.3, SECOND))[0] == SECOND
    assert rest_of((0, EMPTY), (0.1, GONE), (0.3, SECOND))[0] == SECOND
    state, at = rest_of((0, GONE), (5.0, SECOND))
    assert state == GONE
    assert at == pytest.approx(0.4, abs=0.01)
