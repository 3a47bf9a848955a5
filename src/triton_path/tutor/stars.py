"""Stars of an exercise: one for a right kernel, two and three for its measured speed."""

from __future__ import annotations

TWO_STARS, THREE_STARS = 0.70, 0.90
"""Share of the limit that is to be reached: of a stream of the same bytes, or the matrix rate."""


def stars(passed: bool, of_limit: float | None) -> int:
    """Return 0 to 3; `of_limit` is None where nothing was timed, as without a GPU."""
    if not passed:
        return 0
    if of_limit is None or not of_limit >= TWO_STARS:
        return 1
    return 3 if of_limit >= THREE_STARS else 2
