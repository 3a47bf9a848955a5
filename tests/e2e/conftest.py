from __future__ import annotations

import pytest


@pytest.fixture(autouse=True, scope="module")
def uncovered(children_uncovered: None) -> None:
    """What runs in a terminal is slow enough without being followed line by line."""
