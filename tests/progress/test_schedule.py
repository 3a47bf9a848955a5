from __future__ import annotations

import json
from datetime import datetime, timedelta, timezone

import pytest
from hypothesis import given
from hypothesis import strategies as st

from triton_path.progress.schedule import next_review

START = datetime(2026, 3, 1, 9, 0, tzinfo=timezone.utc)


def review(*correct: bool) -> list[timedelta]:
    """Answer each time a question is due; return how long each wait was."""
    state, at, waits = None, START, []
    for right in correct:
        state, due = next_review(state, correct=right, at=at)
        waits.append(due - at)
        at = due
    return waits


def test_a_right_answer_comes_back_after_days_and_then_later_and_later() -> None:
    waits = review(True, True, True, True)
    assert waits[0] >= timedelta(days=1)
    assert waits == sorted(waits)
    assert waits[3] > 2 * waits[0]


def test_a_wrong_answer_comes_back_sooner_but_not_at_once() -> None:
    (wrong,), (right,) = review(False), review(True)
    assert timedelta(hours=20) < wrong < right


def test_a_lapse_shortens_the_wait() -> None:
    assert review(True, True, False)[-1] < review(True, True, True)[-1]


def test_the_schedule_repeats_itself() -> None:
    assert review(True, False, True, True) == review(True, False, True, True)


def test_the_state_is_json() -> None:
    state, _ = next_review(None, correct=True, at=START)
    assert isinstance(json.loads(state), dict)


def test_an_answer_long_after_it_was_due_is_taken() -> None:
    state, due = next_review(None, correct=True, at=START)
    _, later = next_review(state, correct=True, at=due + timedelta(days=3650))
    assert later > due + timedelta(days=3650)


@pytest.mark.parametrize("correct", [True, False])
def test_a_clock_that_was_set_back_counts_from_the_last_review(correct: bool) -> None:
    state, _ = next_review(None, correct=True, at=START)
    _, due = next_review(state, correct=correct, at=START - timedelta(days=365))
    assert due > START


@given(st.lists(st.tuples(st.booleans(), st.integers(-500, 500)), min_size=1, max_size=12))
def test_any_row_of_answers_gives_a_due_date_after_the_last_review(
    answers: list[tuple[bool, int]],
) -> None:
    state, at, latest = None, START, START
    for correct, days in answers:
        at += timedelta(days=days)
        latest = max(latest, at) if state else at
        state, due = next_review(state, correct=correct, at=at)
        assert due > latest
