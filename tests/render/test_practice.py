from __future__ import annotations

from datetime import timedelta
from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from triton_path.progress import clock as clock_module
from triton_path.progress.store import open_store
from triton_path.render.practice import command_lines
from triton_path.terminal.console import plain_console, to_lines
from triton_path.terminal.safe_text import harmless
from triton_path.tutor.practice_standing import NextStep

if TYPE_CHECKING:
    from pathlib import Path

    from syrupy.assertion import SnapshotAssertion

    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("exercises")
WIDTHS = ["80", "60"]


@pytest.fixture(autouse=True)
def plain(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("NO_COLOR", "1")
    (tmp_path / "here").mkdir()
    monkeypatch.chdir(tmp_path / "here")


@pytest.fixture
def some(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """One exercise passed and due, one begun and checked, one untouched."""
    with open_store(home) as store:
        store.exercises.keep_check("copy-tile", passed=True, stars=2, fault="")
        later = clock_module.now() + timedelta(days=30)
        monkeypatch.setattr(clock_module, "now", lambda: later)
        store.exercises.begin("grow-tile")
        store.exercises.keep_check("grow-tile", passed=False, stars=0, fault="wrong-values")
        store.exercises.see_hint("grow-tile", 1)


def shown(run: Run, monkeypatch: pytest.MonkeyPatch, columns: str, *arguments: str) -> str:
    monkeypatch.setenv("COLUMNS", columns)
    out = run(*arguments).out
    assert max(map(cell_len, out.splitlines())) <= int(columns)
    return out


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_list_at_the_start(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: str, snapshot: SnapshotAssertion
) -> None:
    assert shown(run, monkeypatch, columns, "practice") == snapshot


@pytest.mark.usefixtures("some")
@pytest.mark.parametrize("columns", WIDTHS)
@pytest.mark.parametrize(
    "arguments",
    [("practice", "list"), ("practice", "list", "--state", "due"), ("practice", "list", "nothing"),
     ("practice", "show", "grow-tile"), ("practice", "show", "copy-tile"),
     ("practice", "start", "copy-tile"), ("practice", "hint"),
     ("practice", "solution", "copy-tile"), (), ("progress",)],
    ids=" ".join,
)  # fmt: skip
def test_a_screen_with_some_progress(
    run: Run,
    monkeypatch: pytest.MonkeyPatch,
    columns: str,
    arguments: tuple[str, ...],
    snapshot: SnapshotAssertion,
) -> None:
    assert shown(run, monkeypatch, columns, *arguments) == snapshot


@pytest.mark.usefixtures("some")
def test_listings_stand_side_by_side_where_there_is_room(
    run: Run, monkeypatch: pytest.MonkeyPatch, snapshot: SnapshotAssertion
) -> None:
    run("practice", "start", "copy-tile")
    assert shown(run, monkeypatch, "140", "practice", "solution", "copy-tile") == snapshot


def test_commands_are_whole_in_any_width() -> None:
    steps = [NextStep("triton-path practice check hunt-autotune-in-place", "once you mended it"),
             NextStep("triton-path quiz", "4 questions")]  # fmt: skip
    for width in range(28, 100):
        lines = [line.rstrip() for line in to_lines(plain_console(), command_lines(steps, width),
                                                    width)]  # fmt: skip
        assert max(map(cell_len, lines)) <= width
        text = " ".join(" ".join(lines).split())
        for step in steps:
            assert step.command in text
            assert step.about in text
        assert any("check hunt" in line for line in lines) or width < 54


def test_what_is_due_next_is_said_where_nothing_is(run: Run, home: Path) -> None:
    with open_store(home) as store:
        store.exercises.keep_check("copy-tile", passed=True, stars=2, fault="")
        due = store.exercises.of("copy-tile").due
    assert due is not None
    day = due.astimezone()
    out = " ".join(run("practice", "list", "--state", "due").out.split())
    assert f"The next one is copy-tile, on {day:%A}, {day.day} {day:%B}." in out


@pytest.mark.usefixtures("some")
def test_nothing_is_said_by_colour_alone(run: Run, monkeypatch: pytest.MonkeyPatch) -> None:
    without = run("practice").out
    monkeypatch.delenv("NO_COLOR")
    monkeypatch.setenv("FORCE_COLOR", "1")
    coloured = run("practice").out
    assert "\x1b[" in coloured
    assert [line.rstrip() for line in harmless(coloured).splitlines()] == without.splitlines()
