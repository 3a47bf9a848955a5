from __future__ import annotations

from typing import TYPE_CHECKING

import pytest
from rich.cells import cell_len

from triton_path.course.load_exercise import load_exercise
from triton_path.course.loader import load_course
from triton_path.paths import own_content_dir
from triton_path.render.practice_exercise import specification
from triton_path.terminal.console import plain_console, to_lines

if TYPE_CHECKING:
    from triton_path.course.exercises import Exercise

SLUGS = load_course(own_content_dir()).exercises


def shown(exercise: Exercise, width: int) -> list[str]:
    lines = to_lines(plain_console(), specification(exercise, width), width)
    return [line.rstrip() for line in lines]


@pytest.mark.parametrize("slug", SLUGS)
def test_a_specification_fits_any_window_and_loses_no_word_but_in_its_picture(slug: str) -> None:
    exercise = load_exercise(own_content_dir(), slug)
    text = "".join(exercise.specification.partition("\nPicture\n")[0].split())
    for width in (80, 60, 40):
        lines = shown(exercise, width)
        assert max(map(cell_len, lines)) <= width
        assert "".join("".join(lines).split()).startswith(text)
    assert [line.removeprefix("  ") for line in shown(exercise, 90)] == (
        exercise.specification.splitlines()
    )


def test_lines_of_a_sentence_are_joined_where_the_window_is_narrow() -> None:
    text = "\n".join(shown(load_exercise(own_content_dir(), "hunt-race"), 60))
    assert (
        """\
      "Each row is mixed with the next one, in place. In
      Triton's interpreter it is right for every size. On
      the GPU small matrices are right too."""
        in text
    )
    assert (
        """\
      x        float32, rows by columns: changed in place.
               Each row is contiguous; from row to row there
               are x.stride(0) elements.
      weight   float"""
        in text
    )
    assert (
        """\
          c]
          for 0 <= r < rows - 1 and 0 <= c < columns
"""
        in text
    )
