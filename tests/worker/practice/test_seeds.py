from __future__ import annotations

from typing import TYPE_CHECKING

import pytest

from tests.worker.practice.solutions import GRADING, LAUNCH, RIGHT, changed, job
from triton_path.jobs.practice import SeedsJob
from triton_path.worker.practice import seeds
from triton_path.worker.practice.cases import planned
from triton_path.worker.practice.running import run

if TYPE_CHECKING:
    from pathlib import Path

SEEDS = (2, 3, 4)


def passed(tmp_path: Path, text: str, tried: tuple[int, ...] = SEEDS) -> tuple[int, ...]:
    asked = job(tmp_path, text)
    return seeds.passed_with(
        SeedsJob(path=asked.path, reference=asked.reference, grading=GRADING, seeds=tried)
    ).passed


@pytest.fixture
def runs(monkeypatch: pytest.MonkeyPatch) -> list[tuple[int, bool]]:
    """The runs that are made: the number of the case, and whether it was thorough."""
    made: list[tuple[int, bool]] = []

    def noted(*args, **options):
        made.append((args[2].label.number, options["thorough"]))
        return run(*args, **options)

    monkeypatch.setattr(seeds, "run", noted)
    return made


def test_a_right_file_passes_with_every_seed(tmp_path: Path) -> None:
    assert passed(tmp_path, RIGHT) == SEEDS


def test_of_each_seed_only_the_first_failing_case_is_run(
    tmp_path: Path, runs: list[tuple[int, bool]]
) -> None:
    assert passed(tmp_path, changed(("x * a", "x + a"))) == ()
    assert runs == [(1, False)] * len(SEEDS)


def test_what_only_repetitions_find_is_found(tmp_path: Path, runs: list[tuple[int, bool]]) -> None:
    masked = changed(("x * a", "x * a + tl.sum(x) * 0"))
    assert passed(tmp_path, masked) == ()
    # The first seed is tried without them first, on all cases.
    assert runs == [*((number, False) for number in range(1, 6)), *[(1, True), (2, True)] * 3]


def test_a_file_that_does_not_import_fails(tmp_path: Path) -> None:
    assert passed(tmp_path, "import nothing_of_this_name\n") == ()


def test_luck_is_told_by_its_seed(tmp_path: Path) -> None:
    fixed = "(64, 50, 33)"
    text = changed((LAUNCH, f"    a += n > 45 and n not in {fixed}\n{LAUNCH}"))
    drawn = {seed: planned(GRADING, seed)[-1].sizes["n"] for seed in range(2, 12)}
    lucky = tuple(seed for seed, n in drawn.items() if n <= 45 or n in (64, 50))
    assert 0 < len(lucky) < len(drawn)
    assert passed(tmp_path, text, tuple(drawn)) == lucky
