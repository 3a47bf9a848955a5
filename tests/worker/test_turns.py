"""Timing by turns with device events, on a clock that a test moves."""

from __future__ import annotations

import time

import torch

from tests.worker.practice.fake_gpu import FakeClock
from triton_path.worker.bench import timing
from triton_path.worker.bench.timing import FEWEST, GpuClock, Turn, time_turns


def timed(clock, turns, **limits):
    limits = {"warm_up_s": 0.0, "budget_s": 0.0, **limits}
    return time_turns(turns, 64, clock, **limits)


def test_only_the_run_is_in_the_window(monkeypatch):
    clock, order = FakeClock(), []
    record = clock.record
    monkeypatch.setattr(timing, "_zero", lambda flush: order.append(f"flush {flush.numel()}"))
    monkeypatch.setattr(clock, "record", lambda event: (order.append("event"), record(event)))

    def step(name, us):
        return lambda: (order.append(name), clock.spend(us))

    times = timed(clock, {"a": Turn(step("run", 7.0), step("before", 50.0), step("after", 90.0))})
    assert times["a"].value == times["a"].p80 == 7.0
    assert times["a"].n == FEWEST
    assert order[-6:] == ["before", "flush 256", "event", "run", "event", "after"]
    assert order.count("event") == 2 * FEWEST


def test_each_is_warmed_up_before_any_is_timed():
    clock, ran = FakeClock(), []

    def run(name):
        return lambda: (ran.append(name), clock.spend(100.0))

    timed(clock, {"a": Turn(run("a")), "b": Turn(run("b"))}, warm_up_s=0.001)
    assert ran[:9] == ["a"] * 9
    assert ran[10:18] == ["b"] * 8
    assert ran.count("a") >= 9 + 2 + FEWEST


def test_more_rounds_fit_into_a_larger_budget():
    clock = FakeClock()
    run = Turn(lambda: clock.spend(100.0))
    assert timed(clock, {"a": run}, budget_s=0.01)["a"].n > FEWEST
    assert timed(clock, {"a": run}, budget_s=10.0)["a"].n == timing.MOST


def test_work_of_a_provider_does_not_reach_the_next_ones_time():
    clock = FakeClock()
    times = timed(
        clock,
        {"fast": Turn(lambda: clock.spend(1.0)), "slow": Turn(lambda: clock.spend(500.0))},
    )
    assert (times["fast"].value, times["slow"].value) == (1.0, 500.0)


def test_a_file_that_is_imported_later_does_not_move_the_clock(monkeypatch):
    clock = object.__new__(GpuClock)
    monkeypatch.setattr(time, "perf_counter", lambda: -1.0)
    monkeypatch.setattr(torch.cuda, "synchronize", lambda: 1 / 0)
    monkeypatch.setattr(torch.cuda.Event, "elapsed_time", lambda *_: 0.0)
    monkeypatch.setattr(torch.Tensor, "zero_", lambda *_: None)
    assert clock.now() > 0
    assert timing._wait is not torch.cuda.synchronize
    assert timing._elapsed is not torch.cuda.Event.elapsed_time
    flush = torch.ones(1)
    with torch.device("cpu"):  # a mode, under which torch looks methods up by their names
        timing._write_over(flush)
    assert flush.item() == 0
