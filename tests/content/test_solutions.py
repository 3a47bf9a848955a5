"""Further right and wrong solutions of the exercises, none of which these name."""

from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import TYPE_CHECKING

import pytest

from tests.conftest import REPOSITORY
from triton_path.course.load_exercise import load_exercise
from triton_path.jobs.machine import gpu_device_here
from triton_path.tutor.checking import Checker

if TYPE_CHECKING:
    from collections.abc import Iterator

# Not imported to find out: tests/worker decides how Triton runs, before its import.
pytestmark = [
    pytest.mark.skipif(
        importlib.util.find_spec("triton") is None, reason="triton is not installed here"
    ),
    pytest.mark.usefixtures("children_uncovered"),
]

FOLDER = Path(__file__).parent / "solutions"
WRONG = sorted((FOLDER / "wrong").glob("*.py"))
RIGHT = sorted((FOLDER / "right").glob("*.py"))
GPU_ALONE = sorted((FOLDER / "only_a_gpu_tells").glob("*.py"))
SEED = 17


def name_of(path: Path) -> str:
    return path.stem


@pytest.fixture(scope="module")
def checker(children_uncovered: None) -> Iterator[Checker]:
    with Checker() as checker:
        checker.warm_up()
        yield checker


def test_there_are_many_of_them() -> None:
    assert len(WRONG) >= 60
    assert len(RIGHT) >= 20


@pytest.mark.parametrize("path", WRONG, ids=name_of)
def test_a_wrong_solution_fails(path: Path, checker: Checker) -> None:
    exercise = load_exercise(REPOSITORY / "content", path.name.partition("--")[0])
    verdict = checker.check(exercise, path, seed=SEED, time_it=False)
    assert not verdict.passed


@pytest.mark.parametrize("path", RIGHT, ids=name_of)
def test_a_right_but_unusual_solution_passes(path: Path, checker: Checker) -> None:
    exercise = load_exercise(REPOSITORY / "content", path.name.partition("--")[0])
    verdict = checker.check(exercise, path, seed=SEED, time_it=False)
    assert [finding.sentence for finding in verdict.faults] == []
    assert verdict.passed


@pytest.mark.parametrize("path", GPU_ALONE, ids=name_of)
@pytest.mark.skipif(not gpu_device_here(), reason="needs a GPU: what is wrong shows there alone")
def test_a_solution_that_only_a_gpu_finds_wrong_fails(path: Path, checker: Checker) -> None:
    exercise = load_exercise(REPOSITORY / "content", path.name.partition("--")[0])
    assert not checker.check(exercise, path, seed=SEED).passed
