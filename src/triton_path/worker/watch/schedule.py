"""The programs of a launch's first run, in order: all of them, those asked for, or a sample."""

from __future__ import annotations

import time
from itertools import islice, product
from math import prod
from typing import TYPE_CHECKING, Literal

from triton_path.worker.watch.sampling import linear, sample

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.jobs.watch import Triple
    from triton_path.worker.watch.options import WatchOptions

PILOTS = 8
"""Programs after which it is judged how long all would take; sooner if they take a second."""
MOST_PROGRAMS = 20_000
"""Of larger grids all never run where time counts: a program takes a quarter of a millisecond at
the least."""
MOST_SAMPLED, LEAST_SAMPLED = 256, 4
SAMPLE_SHARE = 0.5
"""The part of the budget that a sample may take."""


class Schedule:
    """Iterate over it to get the programs; it looks at the clock between them."""

    def __init__(self, grid: Triple, options: WatchOptions) -> None:
        """Choose from `grid` as the options say."""
        self.grid = grid
        self.total = prod(grid)
        self.cut: Literal["", "by request", "for time"] = ""
        """Why not all programs run; empty as long as all shall."""
        self.may_cut = options.budget_s is not None or options.programs is not None
        self._budget = options.budget_s
        self._asked = options.programs
        if self._asked is not None:
            self.cut = "by request"

    @property
    def most(self) -> int:
        """A bound on how many programs there will be."""
        if self._asked is not None:
            return len(self._asked)
        return self.total if self._budget is None else min(self.total, MOST_PROGRAMS)

    @property
    def on_trial(self) -> bool:
        """Whether it has yet to be judged if all can run."""
        return self.may_cut and not self.cut and self._tried < PILOTS

    _tried = 0

    def __iter__(self) -> Iterator[Triple]:
        if self._asked is not None:
            yield from self._chosen(self._asked)
            return
        start = time.perf_counter()
        if self._budget is not None and self.total > MOST_PROGRAMS:
            self.cut = "for time"
            yield from self._sample(0.0)
            return
        x, y, z = self.grid
        for c, b, a in product(range(z), range(y), range(x)):
            yield a, b, c
            self._tried += 1
            if self._budget is not None and self._too_slow(time.perf_counter() - start):
                self.cut = "for time"
                yield from self._sample((time.perf_counter() - start) / self._tried)
                return

    def _chosen(self, asked: tuple[int, ...]) -> Iterator[Triple]:
        x, y, _ = self.grid
        there = [n % self.total for n in asked if -self.total <= n < self.total]
        yield from ((n % x, n // x % y, n // (x * y)) for n in dict.fromkeys(there))

    def _too_slow(self, elapsed: float) -> bool:
        assert self._budget is not None
        if self._tried == self.total or (self._tried < PILOTS and elapsed < 1.0):
            return False
        return elapsed / self._tried * self.total > self._budget

    def _sample(self, each: float) -> Iterator[Triple]:
        """Yield a sample without what ran; `each` is the seconds a program took, 0 if unknown."""
        assert self._budget is not None
        time_left = SAMPLE_SHARE * self._budget
        count = int(time_left / each) if each else MOST_SAMPLED
        count = max(LEAST_SAMPLED, min(MOST_SAMPLED, count))
        begun = time.perf_counter()
        chosen = (p for p in sample(self.grid, count) if linear(p, self.grid) >= self._tried)
        yield from islice(chosen, LEAST_SAMPLED)
        for program in chosen:
            if time.perf_counter() - begun > time_left:
                return
            yield program
