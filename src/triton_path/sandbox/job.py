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
MOST_ANSWER_BYTES = 16 << 20
"""Of one message: a job that sends more without an end is flooding its channel by accident."""
MOST_LEFT_BYTES = 1 << 20
"""Read from a pipe after the end: as much as the system lets one hold."""


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
    _unframed: int = 0
    """Bytes of a message that has not come to its end."""
    _garbled: bool = False
    """Whether the person's code wrote to the channel, which is not its own."""
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
        """Give the messages that have come; once anything else has come, read and drop all."""
        from pydantic import ValidationError

        from triton_path.jobs.messages import ANSWER

        data = self._read(self.answer_fd)
        if self._garbled:
            return
        frames = self._answers.feed(data)
        self._unframed = 0 if frames else self._unframed + len(data)
        self._garbled = self._unframed > MOST_ANSWER_BYTES
        for frame in frames:
            try:
                message = ANSWER.validate_json(frame)
            except ValidationError:
                self._garbled = True
                return
            yield Answered(message)

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

        Where the server is gone, something that the job started may live on and hold a pipe open:
        the group is ended, and the end of the pipes is not waited for.
        """
        if self._status is None:
            self._kill()
        for fd, read in ((self.answer_fd, self._read_answers), (self.output_fd, self._read_output)):
            os.set_blocking(fd, False) if fd in self._open else None
            for _ in range(MOST_LEFT_BYTES // CHUNK):
                if fd not in self._open:
                    break
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
                signal_name = _name_of(os.WTERMSIG(status))
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


def _name_of(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:  # a real-time signal between the first and the last
        return f"signal {number}"
