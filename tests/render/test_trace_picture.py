from __future__ import annotations

import pytest

from tests import traces
from tests.render.test_trace import text_of
from triton_path.jobs.watch import Ownership, Tile
from triton_path.render.trace_picture import COLOURS, colour, picture, pictures, pieces


def drawn(
    cells: list[list[int]], *, program: int | None = None, width: int = 80, **size: int
) -> str:
    most = max(max(row) for row in cells) + 1
    return text_of(picture(traces.owned(cells, **size), (most, 1, 1), width, program), width)


def test_a_row_is_wrapped_and_says_which_element_a_line_begins_with() -> None:
    assert drawn([[n // 25 for n in range(100)]]) == (
        " o_ptr[100] stored  last by: 0 = program 0, 1 = program 1 ...\n"
        f"   0 ▏{'0' * 25}{'1' * 25}{'2' * 14}▕\n"
        f"  64 ▏{'2' * 11}{'3' * 25}▕"
    )


def test_a_large_tensor_is_scaled_down_and_says_so() -> None:
    cells = [[row // 16 for _ in range(128)] for row in range(64)]
    lines = drawn(cells, rows=6400, columns=1280).splitlines()
    assert len(lines) == 1 + 8 + 1
    assert lines[3].startswith("  1600 ▏1111")
    assert lines[-1].strip() == "one character is 800 x 20 elements, by the middle one"
    assert "about 2.5 elements" in drawn([[0] * 100], columns=250)


def test_a_marked_program_is_seen_even_where_the_middle_is_anothers() -> None:
    cells = [[n % 2 for n in range(128)]]
    assert "0" not in drawn(cells * 2).splitlines()[1].split("▏")[1]
    marked = drawn(cells * 2, program=0)
    assert "# = program 0, part of rows 0..1, columns 0..126" in marked
    assert "#" * 64 in marked
    assert "program 1 stored nothing" in drawn([[0, 2]], program=1)


def test_the_range_of_a_program_says_how_near_it_is() -> None:
    cells = [[n // 85 for n in range(333)]]
    assert "program 1: elements 255..509, give or take 3" in drawn(cells, program=1, columns=1000)
    assert "program 1: elements 85..169\n" in drawn(cells, program=1)
    whole = drawn([[0] * 333], program=0, columns=1000)
    assert "program 0: elements 0..999\n" in whole


def test_holes_and_repeating_signs_are_explained() -> None:
    assert "last by program 3, · = nobody" in drawn([[3, -1, 3]])
    assert "0 0" not in drawn([[-1, -1]])
    assert "signs repeat after 62" in " ".join(drawn([list(range(80))]).split())
    assert "is empty" in text_of(picture(traces.owned([[]], rows=1), (1, 1, 1), 80, None))


def test_neighbours_differ_in_colour() -> None:
    grid = (len(COLOURS), 4, 3)
    for number in range(len(COLOURS) * 3):
        assert colour(number, grid) != colour(number + 1, grid)
        assert colour(number, grid) != colour(number + grid[0], grid)


@pytest.mark.parametrize(("size", "most", "count"), [(64, 12, 8), (5, 12, 5), (61, 12, 12)])
def test_pieces_cover_all_and_are_even_where_they_can_be(size: int, most: int, count: int) -> None:
    cut = pieces(size, most)
    assert len(cut) == count
    assert [start for start, _ in cut[1:]] == [stop for _, stop in cut[:-1]]
    assert (cut[0][0], cut[-1][1]) == (0, size)


def loaded(cells: list[list[int]], tiles: dict[int, tuple[Tile, ...]]) -> Ownership:
    owned = traces.owned(cells)
    return owned.model_copy(update={"access": "load", "argument": "x_ptr", "tiles": tiles})


def test_loads_are_marked_where_another_program_came_first() -> None:
    both = (Tile(rows=(0, 1), columns=((0, 7),)),)
    owned = loaded([[0] * 8] * 2, {0: both, 1: both, 2: (Tile(rows=(0, 0), columns=((1, 2),)),)})
    text = text_of(picture(owned, (3, 1, 1), 80, None), 80)
    assert "x_ptr[2, 8] loaded  first by program 0; by up to 3 programs" in text
    text = text_of(picture(owned, (3, 1, 1), 80, 1), 80)
    assert "# = program 1: rows 0..1, columns 0..7" in text
    assert text.count("#") == 1 + 16
    assert "program 3 loaded nothing" in text_of(picture(owned, (4, 1, 1), 80, 3), 80)
    alike = loaded([[0] * 8] * 2, {0: both, 1: both})
    assert "; each by 2 programs" in text_of(picture(alike, (2, 1, 1), 80, None), 80)


def test_a_load_that_looks_as_the_store_is_left_out() -> None:
    stored = traces.owned([[0, 1]])
    same = stored.model_copy(update={"access": "load"})
    other = loaded([[0, 1]], {})
    one = loaded([[0]], {})
    launch = traces.launch(ownership=(stored, same, other, one))
    assert len(pictures(launch, 80, None)) == 2


def test_a_sample_shows_any_program_that_touched_a_piece() -> None:
    cells = [[-1] * 768]
    cells[0][5] = 3
    owned = traces.owned(cells, columns=76_800).model_copy(update={"sampled": True})
    text = text_of(picture(owned, (9, 1, 1), 60, None), 60)
    assert "3" in text.splitlines()[1]
    assert "· = none that ran" in text
    assert "by any program that ran" in " ".join(text.split())
