"""Ends all that a job started, also what left its process group; counts it while it runs.

A process that forks twice and takes a session of its own, as daemons do, is in no group that could
be ended. On Linux this process has itself made the parent of all orphans below it, and so finds
them. Elsewhere only the group is ended.
"""

from __future__ import annotations

import contextlib
import os
import signal
import time
from pathlib import Path

PR_SET_CHILD_SUBREAPER = 36
"""From Linux's <sys/prctl.h>."""
MOST_PROCESSES = 500
"""Of one job: PyTorch and its compilers start dozens at most; a loop that forks does not stop."""
SECONDS = 5.0
"""A process that is waiting for a device may not end at once; nobody waits longer for it."""


def adopt_orphans() -> None:
    """Become the parent of every process below this one whose own parent ends; Linux alone."""
    with contextlib.suppress(Exception):
        import ctypes

        ctypes.CDLL(None).prctl(PR_SET_CHILD_SUBREAPER, 1, 0, 0, 0)


def end_family(child: int) -> None:
    """End the job `child`, its group, and every other process below this one."""
    with contextlib.suppress(ProcessLookupError, PermissionError):
        os.killpg(child, signal.SIGKILL)
    give_up = time.monotonic() + SECONDS
    while _has_children() and time.monotonic() < give_up:
        # Again, until none is left: one may have forked between the look and the kill.
        for number in _below():
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(number, signal.SIGKILL)
        time.sleep(0.001)  # they need a moment to end


def _has_children() -> bool:
    """Take the status of every child that has ended; tell whether others are left."""
    try:
        while os.waitpid(-1, os.WNOHANG)[0]:
            pass
    except ChildProcessError:
        return False
    return True


def threads_here() -> int:
    """Return how many threads this machine runs, all users' together; 0 where that is not told."""
    # A single small read: cheap enough to be done several times a second.
    with contextlib.suppress(OSError, IndexError, ValueError):
        return int(Path("/proc/loadavg").read_text().split()[3].partition("/")[2])
    return 0


def is_forking_on(threads_before: int) -> bool:
    """Tell whether there are more than MOST_PROCESSES below this one."""
    if threads_here() - threads_before <= MOST_PROCESSES:
        return False
    return len(_below()) > MOST_PROCESSES


def _below() -> set[int]:
    """Return the numbers of all processes below this one; none where /proc does not tell."""
    children: dict[int, list[int]] = {}
    for entry in Path("/proc").glob("[0-9]*/stat"):
        with contextlib.suppress(OSError, IndexError):
            # After the name, which may hold anything: state, then the parent's number.
            parent = entry.read_text(errors="replace").rpartition(")")[2].split()[1]
            children.setdefault(int(parent), []).append(int(entry.parent.name))
    found: set[int] = set()
    waiting = [os.getpid()]
    while waiting:
        new = set(children.get(waiting.pop(), ())) - found
        found |= new
        waiting += new
    return found
