"""The order and the end of a proof; test_checking.py proves a real exercise."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING, Any

import pytest

from tests import verdicts
from tests.conftest import REPOSITORY
from triton_path.course.faults import CourseFault
from triton_path.course.load_exercise import load_exercise
from triton_path.tutor import proof
from triton_path.tutor.checking import BrokenOff, Cancelled

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

    from triton_path.course.exercises import Exercise
    from triton_path.jobs.messages import Progress
    from triton_path.jobs.practice import Verdict


class FakeChecker:
    """Finds what exercise.yaml declares, `delay` seconds later."""

    delays: dict[str, float]
    begun: list[str]
    cancelled: list[str]

    def __enter__(self) -> FakeChecker:
        return self

    def __exit__(self, *_: object) -> None:
        pass

    def warm_up(self) -> None:
        pass

    def check(
        self, exercise: Exercise, path: Any, *, cancelled: Callable[[], bool], **_: object
    ) -> Verdict:
        self.begun.append(exercise.id)
        end = time.monotonic() + self.delays.get(exercise.id, 0.0)
        while time.monotonic() < end:
            if cancelled():
                self.cancelled.append(exercise.id)
                raise Cancelled
            time.sleep(0.01)
        return verdicts.passed()

    def passes_with(self, exercise: Exercise, path: Any, seeds: Sequence[int], **_: object) -> Any:
        if path.name.startswith("no_mask"):
            raise BrokenOff("it crashed")
        return [seed for seed in seeds if seed == 3]


@pytest.fixture
def fake(monkeypatch: pytest.MonkeyPatch) -> type[FakeChecker]:
    FakeChecker.delays, FakeChecker.begun, FakeChecker.cancelled = {}, [], []
    monkeypatch.setattr(proof, "Checker", FakeChecker)
    monkeypatch.setattr("os.cpu_count", lambda: 2)
    return FakeChecker


EXERCISES = [
    load_exercise(REPOSITORY / "content", slug) for slug in ("add-by-block", "constant-add")
]


def test_every_exercise_is_proved_and_told_as_it_is_waited_for(fake: type[FakeChecker]) -> None:
    fake.delays = {"add-by-block": 0.05}
    steps: list[Progress] = []
    with pytest.raises(CourseFault) as caught:
        proof.prove(EXERCISES, None, 4, steps.append)
    for exercise in EXERCISES:
        assert f"exercises/{exercise.id}/starter.py:1: should fail" in caught.value.message
    assert [step.text for step in steps] == ["proving add-by-block", "proving constant-add"]


def test_a_seed_with_which_it_passes_and_a_job_that_broke_off_are_faults(
    fake: type[FakeChecker],
) -> None:
    with pytest.raises(CourseFault) as caught:
        proof.prove(EXERCISES, ["constant-add"], 4, lambda _: None)
    where = "exercises/constant-add/wrong"
    told = caught.value.message
    assert f"{where}/never_stored.py:1: passes with seed 3\n" in told
    assert f"{where}/no_mask.py:1: could not be tried with 3 further seeds: it crashed" in told


def test_ctrl_c_ends_what_runs_at_the_same_time(fake: type[FakeChecker]) -> None:
    fake.delays = {"constant-add": 60.0}

    def interrupted(step: Progress) -> None:
        if step.done == 1:
            while "constant-add" not in fake.begun:
                time.sleep(0.01)
            raise KeyboardInterrupt

    started = time.monotonic()
    with pytest.raises(KeyboardInterrupt):
        proof.prove(EXERCISES, None, 1, interrupted)
    assert time.monotonic() - started < 10
    assert fake.cancelled == ["constant-add"]
