"""The worker process: started ahead of need, given one job at a time."""

from __future__ import annotations

import contextlib
import os
import socket
import subprocess
import sys
from typing import TYPE_CHECKING, Literal

from triton_path.errors import MissingFault
from triton_path.jobs.frames import HEADER
from triton_path.jobs.machine import WARM_VARIABLE
from triton_path.sandbox.job import Job

if TYPE_CHECKING:
    from triton_path.jobs.messages import Message


class Worker:
    """One warm worker process. Use it as a context manager; `close` ends it and its children."""

    def __init__(self, *, interpret: bool, warm: Literal["", "practice"] = "") -> None:
        """Prepare a worker; nothing starts before `start` or the first job.

        `interpret` decides, before Triton is imported, whether kernels run in Triton's
        interpreter (True) or are compiled for the GPU (False). `warm` names jobs that it is to
        import everything for while it starts.
        """
        self.interpret = interpret
        self.warm = warm
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._last: Job | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the process and return at once; it imports torch while the learner reads."""
        if self._process is not None and self._process.poll() is None:
            return
        require_jobs()
        self.close()
        ours, theirs = socket.socketpair()
        with theirs:
            self._process = subprocess.Popen(
                [sys.executable, "-m", "triton_path.worker", str(theirs.fileno())],
                pass_fds=[theirs.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                # A session of its own: Ctrl-C in the terminal is for the tutor to handle.
                start_new_session=True,
                env={
                    **worker_environment(interpret=self.interpret),
                    WARM_VARIABLE: self.warm,
                },
            )
        self._control = ours

    def submit(self, job: Message, *, time_limit_s: float) -> Job:
        """Hand `job` to the worker and return it running. One job at a time.

        Raises MissingFault where this system cannot run one.
        """
        if self._last is not None and not self._last.accepted:
            self.close()  # it never began the last job, and would do that one first
        self.start()
        control = self._control
        assert control is not None
        output_read, output_write = os.pipe()
        answer_read, answer_write = os.pipe()
        payload = job.model_dump_json().encode()
        try:
            socket.send_fds(control, [HEADER.pack(len(payload))], [output_write, answer_write])
            control.sendall(payload)
        except OSError:
            # The worker died while it warmed up, as a broken torch can make it. Closing our ends
            # makes the job end as `killed`, which is what the person should be told.
            pass
        finally:
            os.close(output_write)
            os.close(answer_write)
        self._last = Job(control, output_read, answer_read, time_limit_s=time_limit_s)
        return self._last

    def warm_up(self) -> None:
        """Start ahead of need; where nothing can be started, the job itself will say so."""
        with contextlib.suppress(MissingFault):
            self.start()

    def close(self) -> None:
        """End the process; a job that still runs is ended too."""
        if self._control is not None:
            # The server ends its child and itself when this connection closes.
            self._control.close()
            self._control = None
        if self._process is not None:
            try:
                self._process.wait(timeout=0.3)
            except subprocess.TimeoutExpired:
                # Still inside the import of torch, where it does not look at the connection.
                self._process.kill()
                self._process.wait()
            self._process = None


def worker_environment(*, interpret: bool) -> dict[str, str]:
    """Return the environment of a worker, which decides how kernels run before Triton is there."""
    environment = dict(os.environ)
    environment.pop("TRITON_INTERPRET", None)
    if interpret:
        environment["TRITON_INTERPRET"] = "1"
    # A file named torch.py in the current folder must not be taken for torch.
    environment["PYTHONSAFEPATH"] = "1"
    environment["PYTHONUNBUFFERED"] = "1"
    environment["PYTHONIOENCODING"] = "utf-8"  # as the tutor reads it
    return environment


def can_run_jobs() -> bool:
    """Tell whether a process here can inherit descriptors, as Windows processes cannot."""
    return os.name == "posix" and hasattr(socket, "send_fds")


def require_jobs() -> None:
    """Raise MissingFault where no job can be run."""
    if not can_run_jobs():
        raise MissingFault(
            "Running code needs Linux or macOS; this is neither.",
            hint="wsl --install, then install triton-path inside WSL",
        )
