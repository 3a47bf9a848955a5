"""Two ways to start the process of a job: fork this one, or start Python afresh.

Both give a process that leads a group of its own and does the same in `job_process`. A fork may be
refused where memory is not overcommitted or a limit of processes is reached; Python started afresh
needs less, since this process is not copied for it.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import tempfile
from typing import TYPE_CHECKING

from triton_path.jobs.messages import Failure
from triton_path.worker.job_process import become_job, send_on

if TYPE_CHECKING:
    from collections.abc import Sequence

NO_FORK_VARIABLE = "TRITON_PATH_NO_FORK"
"""Environment variable that makes every job start Python afresh; set by tests."""


def can_fork() -> bool:
    """Tell whether a fork is to be tried."""
    return hasattr(os, "fork") and not os.environ.get(NO_FORK_VARIABLE)


def start(payload: bytes, output_fd: int, answer_fd: int, closed: Sequence[int]) -> int | None:
    """Start the process of a job and return its number, which is that of its group too.

    The server's own descriptors `closed` do not reach it. Returns None where no process could be
    started; the job's answer then says so.
    """
    if can_fork():
        with contextlib.suppress(OSError):
            return _fork(payload, output_fd, answer_fd, closed)
    try:
        return _start_afresh(payload, output_fd, answer_fd)
    except OSError as fault:
        _say_not_started(answer_fd, fault)
        return None


def _fork(payload: bytes, output_fd: int, answer_fd: int, closed: Sequence[int]) -> int:
    """Fork this process. Raises OSError where the system refuses."""
    child = os.fork()
    if child == 0:
        try:
            signal.set_wakeup_fd(-1)
            os.setpgid(0, 0)
            for descriptor in closed:
                os.close(descriptor)
            os.dup2(output_fd, 1)
            os.dup2(output_fd, 2)
            os.close(output_fd)
        except BaseException:
            os._exit(1)
        become_job(payload, answer_fd)
    # Both sides make the group: a kill that follows the child's number at once must find it.
    with contextlib.suppress(OSError):
        os.setpgid(child, child)
    return child


def _start_afresh(payload: bytes, output_fd: int, answer_fd: int) -> int:
    """Start a new Python. Raises OSError where the system refuses."""
    # Not a pipe: a payload larger than its buffer would wait for a process that is not there yet.
    with tempfile.TemporaryFile() as file:
        file.write(payload)
        file.seek(0)
        process = subprocess.Popen(
            [sys.executable, "-m", "triton_path.worker", "job", str(file.fileno()), str(answer_fd)],
            stdin=subprocess.DEVNULL,
            stdout=output_fd,
            stderr=output_fd,
            pass_fds=(file.fileno(), answer_fd),
            # A session is a group too, and Popen sets it before it returns.
            start_new_session=True,
        )
    # The server waits for it by number, as for a forked child; Popen is not to do so as well.
    process.returncode = 0
    return process.pid


def _say_not_started(answer_fd: int, fault: OSError) -> None:
    message = f"The system starts no process for this job: {fault.strerror}."
    hint = "end other programs, or raise the limit of processes: ulimit -u"
    with contextlib.suppress(OSError):
        send_on(answer_fd)(Failure(reason="missing", message=message, hint=hint))
