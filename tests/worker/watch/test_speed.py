"""A guard against losing the watch's speed; `scripts/watch_speed.py` gives exact figures."""

from __future__ import annotations

import statistics
import time

import pytest

from tests.worker.watch.speed_kernels import CASES
from triton_path.worker.watch import WatchOptions, watch

ROUNDS = 3
SLACK = 1.3
"""Shared machines are not quiet: the figures of the script are about half of the limits."""


def _seconds(name: str, options: WatchOptions | None) -> float:
    start = time.perf_counter()
    if options is None:
        CASES[name]()
    else:
        with watch(options):
            CASES[name]()
    return time.perf_counter() - start


@pytest.mark.parametrize("name", list(CASES))
def test_as_fast_as_the_interpreter(name: str) -> None:
    times = [
        (_seconds(name, None), _seconds(name, WatchOptions()), _seconds(name, everything))
        for everything in [WatchOptions.everything()] * (ROUNDS + 1)
    ]
    stock, default, every = (statistics.median(column) for column in zip(*times[1:], strict=True))
    assert default <= stock * SLACK
    assert every <= 2 * stock * SLACK
