from __future__ import annotations

import pytest
from hypothesis import example, given
from hypothesis import strategies as st

from triton_path.render.pages import Chunk, paginate

BLANK = "blank"


def chunk(name: str, length: int, *, splits: bool = False, leads: bool = False) -> Chunk[str]:
    return Chunk([f"{name}{number}" for number in range(length)], splits, leads)


def sizes(pages: list[list[str]]) -> list[int]:
    return [len(page) for page in pages]


def test_nothing_is_one_empty_page() -> None:
    assert paginate([], 5, BLANK) == [[]]
    assert paginate([Chunk([])], 5, BLANK) == [[]]


def test_chunks_that_fit_share_a_page_with_a_blank_between() -> None:
    pages = paginate([chunk("a", 2), chunk("b", 2)], 5, BLANK)
    assert pages == [["a0", "a1", BLANK, "b0", "b1"]]


def test_a_chunk_that_does_not_fit_goes_to_the_next_page_whole() -> None:
    pages = paginate([chunk("a", 3), chunk("b", 3)], 5, BLANK)
    assert pages == [["a0", "a1", "a2"], ["b0", "b1", "b2"]]


def test_running_text_is_split_to_fill_the_page() -> None:
    pages = paginate([chunk("a", 3), chunk("b", 5, splits=True)], 8, BLANK)
    assert pages == [["a0", "a1", "a2", BLANK, "b0", "b1", "b2"], ["b3", "b4"]]


def test_a_paragraph_leaves_no_single_line_on_either_page() -> None:
    for above in range(1, 9):
        for length in range(2, 9):
            pages = paginate([chunk("a", above), chunk("b", length, splits=True)], 10, BLANK)
            for page in pages:
                assert len([line for line in page if line.startswith("b")]) != 1


def test_text_that_introduces_something_stays_with_it() -> None:
    pages = paginate([chunk("a", 2), chunk("b", 1, leads=True), chunk("c", 4)], 8, BLANK)
    assert pages == [["a0", "a1"], ["b0", BLANK, "c0", "c1", "c2", "c3"]]


def test_a_chunk_longer_than_a_page_is_cut() -> None:
    assert sizes(paginate([chunk("a", 12)], 5, BLANK)) == [5, 5, 2]


def test_no_page_begins_or_ends_with_a_blank() -> None:
    pages = paginate([chunk(name, 3) for name in "abcdef"], 7, BLANK)
    assert all(page[0] != BLANK and page[-1] != BLANK for page in pages)


CHUNKS = st.lists(
    st.builds(
        lambda length, splits, leads: (length, splits, leads),
        st.integers(0, 40),
        st.booleans(),
        st.booleans(),
    ),
    max_size=12,
)


@given(CHUNKS, st.integers(1, 30))
@example([(3, False, True), (40, False, False), (0, True, True)], 1)
@example([(0, False, False), (1, True, True), (2, True, False)], 2)
def test_no_line_is_lost_or_moved_and_no_page_is_too_high(
    shapes: list[tuple[int, bool, bool]], height: int
) -> None:
    chunks = [
        Chunk([f"{number}/{line}" for line in range(length)], splits, leads)
        for number, (length, splits, leads) in enumerate(shapes)
    ]
    pages = paginate(chunks, height, BLANK)
    shown = [line for page in pages for line in page if line != BLANK]
    assert shown == [line for part in chunks for line in part.lines]
    assert max(sizes(pages)) <= height
    assert len(pages) == 1 or min(sizes(pages)) > 0


@pytest.mark.parametrize("height", [8, 21])
@given(CHUNKS)
def test_a_chunk_that_may_not_be_split_is_seen_whole_if_a_page_can_hold_it(
    height: int, shapes: list[tuple[int, bool, bool]]
) -> None:
    chunks = [
        Chunk([f"{number}/{line}" for line in range(length)], splits, leads)
        for number, (length, splits, leads) in enumerate(shapes)
    ]
    pages = paginate(chunks, height, BLANK)
    for part in chunks:
        if not part.splits and 0 < len(part.lines) <= height:
            assert any(set(part.lines) <= set(page) for page in pages)
