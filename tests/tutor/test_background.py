from __future__ import annotations

import select
import threading
import time
from typing import TYPE_CHECKING

import pytest

from triton_path.tutor.background import Background

if TYPE_CHECKING:
    from collections.abc import Callable


def until_cancelled(cancelled: Callable[[], bool]) -> str:
    while not cancelled():
        time.sleep(0.005)
    return "cancelled"


def test_the_result_is_announced_and_taken_once() -> None:
    with Background[int]() as background:
        assert not background.busy
        background.start(lambda _: 42)
        assert select.select([background.fd], [], [], 10)[0]
        assert background.ended
        assert background.take() == 42
        assert not background.busy
        assert not select.select([background.fd], [], [], 0)[0]
        background.start(lambda _: 43)
        assert background.take() == 43


def test_what_the_call_raised_is_raised_where_its_result_is_taken() -> None:
    def fail(_: Callable[[], bool]) -> int:
        raise ValueError("no")

    with Background[int]() as background:
        background.start(fail)
        with pytest.raises(ValueError, match="no"):
            background.take()
        background.start(lambda _: 1)
        assert background.take() == 1


def test_a_call_can_be_asked_to_end() -> None:
    with Background[str]() as background:
        background.start(until_cancelled)
        assert not background.ended
        background.cancel()
        assert background.take() == "cancelled"


def test_leaving_ends_the_call_and_waits_for_it() -> None:
    ended = threading.Event()

    def call(cancelled: Callable[[], bool]) -> None:
        until_cancelled(cancelled)
        ended.set()

    with Background[None]() as background:
        background.start(call)
    assert ended.is_set()


def test_leaving_does_not_wait_for_ever() -> None:
    release = threading.Event()
    start = time.monotonic()
    with Background[bool](patience_s=0.1) as background:
        background.start(lambda _: release.wait(10))
    assert time.monotonic() - start < 5
    release.set()
