"""A job in a worker: its output, its answers, its end."""

from __future__ import annotations

import contextlib
import os
import selectors
import signal
import time
from dataclasses import dataclass, field
from typing import TYPE_CHECKING

from triton_path.jobs.frames import FrameReader
from triton_path.sandbox.events import Answered, Ended, Event, Output

if TYPE_CHECKING:
    import socket
    from collections.abc import Iterator

    from triton_path.sandbox.events import Ending

CHUNK = 65536


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
        if self.control.fileno() < 0:
            self._server_gone = True  # the worker was closed while it still warmed up
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
        if left <= 0:
            self._timed_out = True
            # A worker that has not begun by now hangs in an import; it is not waited for.
            self._server_gone = self._server_gone or not self.accepted
        if self._timed_out or self._cancelled:
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
