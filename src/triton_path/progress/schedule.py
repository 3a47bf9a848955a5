"""When a question comes back: the FSRS schedule, from right and wrong answers alone."""

from __future__ import annotations

from functools import cache
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from datetime import datetime

    from fsrs import Scheduler


@cache
def _scheduler() -> Scheduler:
    # Deferred: fsrs is needed only once an answer was given.
    from fsrs import Scheduler

    # No learning steps of minutes: a question answered today comes back on another day, and
    # missed ones are offered again at the end of the quiz anyway. No fuzz: tests repeat.
    return Scheduler(learning_steps=(), relearning_steps=(), enable_fuzzing=False)


def next_review(state: str | None, *, correct: bool, at: datetime) -> tuple[str, datetime]:
    """Return the card's new state (JSON) and when it is due, after an answer given at `at`.

    `state` is what this function returned last, None for a question never answered before.
    """
    from fsrs import Card, Rating

    card = Card.from_json(state) if state else Card(due=at)
    if card.last_review is not None and card.last_review > at:
        # The clock was set back: count the review from the last one, not into the past.
        at = card.last_review
    rating = Rating.Good if correct else Rating.Again
    card, _ = _scheduler().review_card(card, rating, review_datetime=at)
    return card.to_json(), card.due
