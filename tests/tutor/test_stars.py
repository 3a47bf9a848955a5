"""How many stars a check gives."""

from __future__ import annotations

import pytest

from triton_path.tutor.stars import stars


@pytest.mark.parametrize(
    ("passed", "of_limit", "expected"),
    [
        (False, None, 0),
        (False, 0.99, 0),
        (True, None, 1),
        (True, 0.10, 1),
        (True, 0.699, 1),
        (True, 0.70, 2),
        (True, 0.899, 2),
        (True, 0.90, 3),
        (True, 1.03, 3),
        (True, float("nan"), 1),
    ],
)
def test_stars(passed, of_limit, expected):
    assert stars(passed, of_limit) == expected
