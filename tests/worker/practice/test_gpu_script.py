"""scripts/exercises_on_gpu.py, as far as it goes without a GPU."""

from __future__ import annotations

import importlib.util
import os
import sys

import pytest

from tests.conftest import REPOSITORY, run_python
from triton_path.jobs.bench import Timing
from triton_path.jobs.practice import GpuResult, Provider
from triton_path.worker.practice import gpu_machine

SCRIPT = REPOSITORY / "scripts" / "exercises_on_gpu.py"


@pytest.fixture(scope="module")
def script():
    before = dict(os.environ)
    specification = importlib.util.spec_from_file_location("exercises_on_gpu", SCRIPT)
    module = importlib.util.module_from_spec(specification)
    sys.modules["exercises_on_gpu"] = module  # where dataclasses look for it
    specification.loader.exec_module(module)
    yield module
    del sys.modules["exercises_on_gpu"]
    os.environ.clear()
    os.environ.update(before)


def provider(name, us, share):
    time = Timing(value=us, unit="us", kind="measured", p20=us, p80=us, n=50)
    return Provider(name=name, time=time, of_limit=share)


def result(**fields):
    about = {"device": "a GPU", "driver": "1", "torch": "2", "triton": "3", "date": "2026-12-01"}
    return GpuResult(**{**about, "cases": 7, **fields})


def test_a_line_holds_cases_time_share_stars_and_ratios(script):
    providers = (
        provider("yours", 100.0, 0.95),
        provider("eager", 400.0, 0.2375),
        provider("torch.compile", 110.0, 0.8636),
    )
    line = script.Outcome("vector-add", 4.21, 7, result(providers=providers)).line()
    expected = ["vector-add", "7/7", "100.0", "95.0", "%", "3", "4.00x", "-", "1.10x", "4.2"]
    assert line.split() == expected


def test_a_fault_and_what_was_not_timed_stand_below_the_line(script):
    outcome = script.Outcome(
        "vector-add",
        1.0,
        7,
        result(cases=2, untimed="A case failed."),
        "wrong-on-gpu: it is wrong.",
    )
    first, second, third = outcome.line().splitlines()
    assert first.split() == ["vector-add", "2/7", "-", "-", "0", "-", "-", "-", "1.0"]
    assert second == "  ! wrong-on-gpu: it is wrong."
    assert third == "    not timed: A case failed."
    assert outcome.log()["gpu"]["cases"] == 2


def test_a_process_that_dies_is_a_fault(script, monkeypatch):
    exercise = script.exercises(["vector-add"])[0]

    def die(_exercise, _seed):
        raise RuntimeError("no more")

    monkeypatch.setattr(script, "measure_here", die)
    outcome = script.measure(exercise, 1)
    assert "RuntimeError: no more" in outcome.fault
    assert outcome.stars == 0
    monkeypatch.setattr(script, "measure_here", lambda *_: os.kill(os.getpid(), 9))
    assert script.measure(exercise, 1).fault == "it crashed"


def test_without_a_result_it_is_a_fault(script, monkeypatch):
    exercise = script.exercises(["vector-add"])[0]

    def answer(**told):
        return lambda *_: {"runnable": 7, "finding": None, "gpu": None, **told}

    monkeypatch.setattr(script, "measure_here", answer())
    assert script.measure(exercise, 1).fault == "Triton can use no GPU here."
    few = result(cases=6).model_dump(mode="json")
    monkeypatch.setattr(script, "measure_here", answer(gpu=few))
    assert script.measure(exercise, 1).fault == "Not all cases were run."
    untimed = result().model_dump(mode="json")
    monkeypatch.setattr(script, "measure_here", answer(gpu=untimed))
    assert script.measure(exercise, 1).fault == "The timed case was not timed."


def test_an_unknown_exercise_is_named(script):
    with pytest.raises(SystemExit, match="no exercise 'vector-ad'"):
        script.exercises(["vector-ad"])


def test_without_a_gpu_it_says_so():
    if any(map(os.path.exists, ("/dev/nvidiactl", "/dev/kfd"))):
        pytest.skip("a GPU is here")
    ended = run_python(str(SCRIPT), "vector-add")
    assert ended.returncode == 3
    assert ended.stdout == "No GPU is here: the exercises were not run on one.\n"


@pytest.mark.parametrize("own", [None, "/home/me/cache"])
def test_the_persons_own_cache_is_used(monkeypatch, own):
    monkeypatch.setattr(gpu_machine, "_own_cache", own)
    monkeypatch.setenv("TRITON_CACHE_DIR", "/tmp/of-a-job")
    gpu_machine.use_gpu("cpu")
    assert os.environ.get("TRITON_CACHE_DIR") == own
