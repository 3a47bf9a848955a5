"""The time limit of a launch counts what the process worked, within reason."""

from __future__ import annotations

import time

import pytest

from triton_path.worker.watch import limits
from triton_path.worker.watch.stops import OutOfTime


def loop_for_ever() -> None:
    while True:
        pass


def stopped_after(monkeypatch: pytest.MonkeyPatch, share: float) -> float:
    """Return the seconds after which an endless loop is stopped that has `share` of a processor."""
    monkeypatch.setattr(limits, "AGAIN_S", 0.01)
    began = time.monotonic()
    monkeypatch.setattr(time, "process_time", lambda: share * (time.monotonic() - began))
    with pytest.raises(OutOfTime), limits.time_limit(0.2):
        loop_for_ever()
    return time.monotonic() - began


def test_an_endless_loop_is_stopped(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stopped_after(monkeypatch, share=1.0) >= 0.2


def test_on_a_busy_machine_it_has_longer(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stopped_after(monkeypatch, share=0.5) >= 0.4


def test_what_only_waits_is_stopped_too(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stopped_after(monkeypatch, share=0.0) >= limits.BUSY_FACTOR * 0.2


def test_many_threads_do_not_shorten_it(monkeypatch: pytest.MonkeyPatch) -> None:
    assert stopped_after(monkeypatch, share=8.0) >= 0.2


def test_an_alarm_around_it_still_rings(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "AGAIN_S", 0.01)

    def another_within() -> None:
        with limits.time_limit(30.0):
            pass
        loop_for_ever()

    with pytest.raises(OutOfTime), limits.time_limit(0.2):
        another_within()
