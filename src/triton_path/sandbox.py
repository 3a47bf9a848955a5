"""Starts a worker process and keeps it on a leash: time limit, process group, result channel.

The worker is a server that imports torch once and then forks one child for each job, so that a
job starts within milliseconds. Each child gets two pipes: what it prints, and its answers. This
protects against accidents (a crash, an endless loop, a flood of output); it is no security
boundary.
"""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import socket
import subprocess
import sys
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Literal, TypeVar

from triton_path.errors import MissingFault, TutorError
from triton_path.jobs.frames import HEADER, FrameReader

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triton_path.jobs.messages import Failure, Message, Progress, Result

CHUNK = 65536

Ending = Literal["finished", "failed", "time limit", "cancelled", "killed"]


@dataclass(frozen=True)
class Output:
    """Bytes that the job printed."""

    data: bytes


@dataclass(frozen=True)
class Answered:
    """A message on the job's own channel."""

    message: Progress | Result | Failure


@dataclass(frozen=True)
class Ended:
    """The job is over; nothing comes after this."""

    ending: Ending
    exit_code: int | None
    """Exit status of the child; None where a signal ended it."""
    signal_name: str | None
    """Name of that signal, such as SIGSEGV."""
    seconds: float
    """Wall time from the start of the job."""


Event = Output | Answered | Ended
ResultT = TypeVar("ResultT", bound="Message")


class WorkerFault(TutorError):
    """A job ended without an answer: the child crashed or ran out of time."""


class BugFault(Exception):
    """A worker raised where it should not have; the error boundary reports it as our bug."""


def _require_fork() -> None:
    if not hasattr(os, "fork"):
        raise MissingFault(
            "Running code needs Linux or macOS; this is neither.",
            hint="wsl --install, then install triton-path inside WSL",
        )


class Worker:
    """One warm worker process. Use it as a context manager; `close` ends it and its children."""

    def __init__(self, *, interpret: bool) -> None:
        """Prepare a worker; nothing starts before `start` or the first job.

        `interpret` decides, before Triton is imported, whether kernels run in Triton's
        interpreter (True) or are compiled for the GPU (False).
        """
        self.interpret = interpret
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None

    def __enter__(self) -> Worker:
        return self

    def __exit__(self, *_: object) -> None:
        self.close()

    def start(self) -> None:
        """Start the process and return at once; it imports torch while the learner reads."""
        if self._process is not None and self._process.poll() is None:
            return
        _require_fork()
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
                env=worker_environment(interpret=self.interpret),
            )
        self._control = ours

    def submit(self, job: Message, *, time_limit_s: float) -> Job:
        """Hand `job` to the worker and return it running. One job at a time.

        Raises MissingFault where this system cannot fork.
        """
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
        return Job(control, output_read, answer_read, time_limit_s=time_limit_s)

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
    return environment


@dataclass
class Job:
    """A job that was handed to a worker; iterate over `events` until `Ended`."""

    control: socket.socket
    output_fd: int
    answer_fd: int
    time_limit_s: float
    started: float = field(default_factory=time.monotonic)
    _pid: int | None = None
    _status: int | None = None
    _server_gone: bool = False
    _cancelled: bool = False
    _timed_out: bool = False
    _answers: FrameReader = field(default_factory=FrameReader)
    _notices: FrameReader = field(default_factory=FrameReader)
    _open: set[int] = field(default_factory=set)
    ended: bool = False

    def __post_init__(self) -> None:
        self._open = {self.output_fd, self.answer_fd}

    @property
    def accepted(self) -> bool:
        """Whether the worker has begun it; before that it still imports torch."""
        return self._pid is not None

    def waitables(self) -> list[int]:
        """File descriptors that become readable when `events` has something to give."""
        waiting = list(self._open)
        if self._status is None and not self._server_gone:
            waiting.append(self.control.fileno())
        return waiting

    def cancel(self) -> None:
        """End the job and everything it started; `events` then gives the rest and `Ended`."""
        self._cancelled = True
        self._kill()

    def events(self, wait_s: float) -> Iterator[Event]:
        """Give what has come, after waiting at most `wait_s` seconds for something to come."""
        if self.ended:
            return
        left = self.started + self.time_limit_s - time.monotonic()
        if left <= 0 and not self._timed_out:
            self._timed_out = True
            self._kill()
        with selectors.DefaultSelector() as selector:
            for fd in self.waitables():
                selector.register(fd, selectors.EVENT_READ)
            ready = selector.select(max(0.0, min(wait_s, left) if not self._timed_out else wait_s))
        for key, _ in ready:
            if key.fd == self.output_fd:
                yield from self._read_output()
            elif key.fd == self.answer_fd:
                yield from self._read_answers()
            else:
                self._read_notices()
        if self._status is not None or self._server_gone:
            yield from self._finish()

    def _read_output(self) -> Iterator[Event]:
        data = self._read(self.output_fd)
        if data:
            yield Output(data)

    def _read_answers(self) -> Iterator[Event]:
        from triton_path.jobs.messages import ANSWER

        for frame in self._answers.feed(self._read(self.answer_fd)):
            yield Answered(ANSWER.validate_json(frame))

    def _read(self, fd: int) -> bytes:
        data = os.read(fd, CHUNK)
        if not data:
            self._open.discard(fd)
            os.close(fd)
        return data

    def _read_notices(self) -> None:
        """Take what the server says of its child: its process id, later its wait status."""
        try:
            data = self.control.recv(CHUNK)
        except OSError:
            data = b""
        if not data:
            self._server_gone = True
            return
        for frame in self._notices.feed(data):
            word, _, number = frame.decode().partition(" ")
            if word == "pid":
                self._pid = int(number)
                if self._cancelled or self._timed_out:
                    self._kill()
            else:
                self._status = int(number)

    def _finish(self) -> Iterator[Event]:
        """Give what is still in the pipes, then `Ended`.

        A process that outlived its parent may hold a pipe open: end the group first, and do not
        wait for the end of the pipes.
        """
        self._kill()
        for fd, read in ((self.answer_fd, self._read_answers), (self.output_fd, self._read_output)):
            os.set_blocking(fd, False) if fd in self._open else None
            while fd in self._open:
                try:
                    yield from read()
                except BlockingIOError:
                    break
        for fd in self._open:
            os.close(fd)
        self._open.clear()
        self.ended = True
        yield self._ended()

    def _ended(self) -> Ended:
        status = self._status
        exit_code = signal_name = None
        if status is not None:
            if os.WIFSIGNALED(status):
                signal_name = signal.Signals(os.WTERMSIG(status)).name
            else:
                exit_code = os.waitstatus_to_exitcode(status)
        ending: Ending
        if self._cancelled:
            ending = "cancelled"
        elif self._timed_out:
            ending = "time limit"
        elif exit_code is None:
            ending = "killed"
        else:
            ending = "finished" if exit_code == 0 else "failed"
        return Ended(ending, exit_code, signal_name, time.monotonic() - self.started)

    def _kill(self) -> None:
        if self._pid is not None:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.killpg(self._pid, signal.SIGKILL)


def run_job(
    job: Message,
    result_type: type[ResultT],
    *,
    interpret: bool,
    time_limit_s: float,
    on_progress: Callable[[Progress], None] = lambda _: None,
) -> ResultT:
    """Run one job to its end in a worker of its own and return its result.

    Raises MissingFault where the machine lacks something, WorkerFault where the job crashed or
    ran longer than `time_limit_s` seconds, BugFault where the worker's own code raised.
    """
    from triton_path.jobs.messages import Progress, Result

    answer: Result | Failure | None = None
    printed = b""
    ended: Ended | None = None
    with Worker(interpret=interpret) as worker:
        running = worker.submit(job, time_limit_s=time_limit_s)
        while ended is None:
            for event in running.events(wait_s=1.0):
                if isinstance(event, Output):
                    printed = (printed + event.data)[-CHUNK:]
                elif isinstance(event, Ended):
                    ended = event
                elif isinstance(event.message, Progress):
                    on_progress(event.message)
                else:
                    answer = event.message
    if isinstance(answer, Result):
        return result_type.model_validate(answer.value)
    if answer is not None:
        if answer.reason == "missing":
            raise MissingFault(answer.message, answer.hint)
        raise BugFault(f"{answer.message}\n{answer.detail}")
    raise WorkerFault(_no_answer(ended, time_limit_s, printed))


def _no_answer(ended: Ended, time_limit_s: float, printed: bytes) -> str:
    if ended.ending == "time limit":
        text = f"The worker was stopped after its time limit of {time_limit_s:.0f} s."
    elif ended.signal_name:
        text = f"The worker process was ended by {ended.signal_name}."
    else:
        text = "The worker process ended before it gave an answer."
    tail = printed.decode(errors="replace").strip().splitlines()[-5:]
    return "\n".join([text, *tail])
