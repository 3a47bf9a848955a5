"""Stops a run that takes too long, in the middle of whatever it does."""

from __future__ import annotations

import contextlib
import signal
import threading
import time
from typing import TYPE_CHECKING

from triton_path.worker.watch.stops import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Iterator
    from types import FrameType


AGAIN_S = 0.5
BUSY_FACTOR = 3
"""A busy machine may take this many times longer for the same work."""


@contextlib.contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Raise OutOfTime in the main thread after `seconds`; elsewhere nothing is limited.

    They are seconds of this process, so that a right kernel is not stopped because other programs
    have the processors; one that only waits is stopped after BUSY_FACTOR times as many.
    An alarm that was set before is set again for what is left of it.
    """
    if threading.current_thread() is not threading.main_thread():
        yield
        return

    def ring(_signal: int, _frame: FrameType | None) -> None:
        waited = time.monotonic() - started
        if time.process_time() - worked >= seconds or waited >= BUSY_FACTOR * seconds:
            raise OutOfTime

    started, worked = time.monotonic(), time.process_time()
    before = signal.signal(signal.SIGALRM, ring)
    # It rings again and again: Python swallows what is raised in a destructor.
    left, interval = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)
        if left:
            rest = max(0.001, left - (time.monotonic() - started))
            signal.setitimer(signal.ITIMER_REAL, rest, interval)
