"""The process of one job: its limits, its answer, its end."""

from __future__ import annotations

import contextlib
import os
import resource
import signal
import sys
import traceback
from typing import TYPE_CHECKING, Any, NoReturn

from triton_path.jobs.frames import encode
from triton_path.jobs.machine import gpu_device_here

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.messages import Message

MAX_FILE_BYTES = 1 << 30
"""Largest file that a job may write: a runaway loop must not fill the disk."""
LEAST_MEMORY_BYTES = 4 << 30


def become_job(payload: bytes, answer_fd: int) -> NoReturn:
    """Do the job in this process, send its answer, and leave without returning."""
    exit_code = 1
    try:
        for signal_number in (signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(signal_number, signal.SIG_DFL)
        _set_limits()
        exit_code = _answer(payload, answer_fd)
    finally:
        os._exit(exit_code)


def send_on(answer_fd: int) -> Callable[[Message], None]:
    """Return the function that sends a message on a descriptor; it raises OSError."""

    def send(message: Message) -> None:
        data: Any = encode(message.model_dump_json().encode())
        while data:
            data = data[os.write(answer_fd, data) :]

    return send


def most_memory_bytes() -> int:
    """Return the address space of a job without a GPU: half of the machine's memory, 4 GiB or more.

    A tensor that is too large by accident then fails at its line, and nothing else is swapped out.
    """
    machine = os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
    return max(LEAST_MEMORY_BYTES, machine // 2)


def _set_limits() -> None:
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
    _lower_limit(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
    # No limit of processes: RLIMIT_NPROC counts all of the user's, and this job's are ended
    # with it. No limit of memory where a GPU is used: CUDA reserves far more than it fills.
    interpreted = os.environ.get("TRITON_INTERPRET") == "1"
    if interpreted or not gpu_device_here():
        _lower_limit(resource.RLIMIT_AS, most_memory_bytes())


def _lower_limit(which: int, most: int) -> None:
    _, hard = resource.getrlimit(which)
    # macOS knows RLIMIT_AS and refuses to set it.
    with contextlib.suppress(OSError, ValueError):
        allowed = most if hard == resource.RLIM_INFINITY else min(most, hard)
        resource.setrlimit(which, (allowed, hard))


def _answer(payload: bytes, answer_fd: int) -> int:
    """Do the job and send its result or failure; return the process's exit code."""
    from triton_path.jobs.messages import Failure, Result
    from triton_path.worker.dispatch import perform
    from triton_path.worker.missing import MissingHere

    send = send_on(answer_fd)
    answer: Message
    try:
        result, exit_code = perform(payload, send)
        answer = Result(value=result.model_dump(mode="json"))
    except MissingHere as fault:
        answer = Failure(reason="missing", message=str(fault), hint=fault.hint)
        exit_code = 1
    except Exception as fault:
        text = f"{type(fault).__name__}: {fault}"
        answer = Failure(reason="bug", message=text, detail=traceback.format_exc())
        exit_code = 1
    # The person's code may have closed the channel; what it printed and its exit code still count.
    with contextlib.suppress(OSError):
        send(answer)
    for stream in (sys.stdout, sys.stderr):
        with contextlib.suppress(Exception):
            stream.flush()
    return exit_code
