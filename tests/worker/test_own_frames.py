from __future__ import annotations

import runpy
from typing import TYPE_CHECKING

import pytest

from triton_path.worker.own_frames import short_traceback

if TYPE_CHECKING:
    from pathlib import Path


def raised_by(path: Path, text: str, monkeypatch: pytest.MonkeyPatch) -> BaseException:
    path.write_text(text)
    monkeypatch.syspath_prepend(str(path.parent))
    with pytest.raises((SyntaxError, ValueError)) as caught:
        runpy.run_path(str(path))
    return caught.value


def test_the_frames_of_a_file_and_its_neighbours_are_kept(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "own_neighbour.py").write_text("def parse(text):\n    return int(text)\n")
    fault = raised_by(
        tmp_path / "main.py", "import own_neighbour\n\nown_neighbour.parse('x')\n", monkeypatch
    )
    for or_all in (False, True):
        lines = short_traceback(fault, tmp_path / "main.py", or_all=or_all).splitlines()
        frames = [line.split(", ")[0].rpartition("/")[2] for line in lines if "File " in line]
        assert frames == ['main.py"', 'own_neighbour.py"']
        assert lines[-1] == "ValueError: invalid literal for int() with base 10: 'x'"


def test_all_frames_are_shown_where_none_is_own_if_that_is_wanted(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = raised_by(tmp_path / "main.py", "int('x')\n", monkeypatch)
    other = tmp_path / "elsewhere" / "other.py"
    assert "File " not in short_traceback(fault, other)
    assert "main.py" in short_traceback(fault, other, or_all=True)


def test_a_syntax_error_names_its_place_itself(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    fault = raised_by(tmp_path / "main.py", "def f(:\n", monkeypatch)
    for or_all in (False, True):
        text = short_traceback(fault, tmp_path / "main.py", or_all=or_all)
        assert text.count("File ") == 1
        assert "runpy" not in text
