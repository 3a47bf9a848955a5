from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from triton_path.progress.store import Place, open_store

if TYPE_CHECKING:
    from pathlib import Path

    from tests.conftest import Run

pytestmark = pytest.mark.usefixtures("in_use")


def test_the_path_and_the_one_next_command(run: Run) -> None:
    finished = run()
    assert (finished.code, finished.err) == (0, "")
    assert "1 First stage" in finished.out
    assert "shapes" in finished.out
    assert "sizes  (planned)" in finished.out
    assert "Next: triton-path learn  shapes\n" in finished.out


def test_where_the_learner_is(run: Run, home: Path) -> None:
    with open_store(home) as store:
        store.save_place(Place("shapes", "question/how-many", 0))
    assert "Next: triton-path learn  shapes, question 3 of 5" in run().out


@pytest.mark.parametrize("columns", [80, 60, 40])
def test_the_width_of_the_window_is_obeyed(
    run: Run, monkeypatch: pytest.MonkeyPatch, columns: int
) -> None:
    monkeypatch.setenv("COLUMNS", str(columns))
    out = run().out
    assert max(map(len, out.splitlines())) <= columns
    assert "triton-path learn" in out


def test_a_pipe_gets_plain_text(run: Run) -> None:
    out = run().out
    assert [c for c in out if not c.isprintable() and c != "\n"] == []
    assert not any(line != line.rstrip() for line in out.splitlines())
