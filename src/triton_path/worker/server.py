"""A server that imported torch once and forks one child for each job."""

from __future__ import annotations

import contextlib
import importlib
import os
import resource
import select
import signal
import socket
import traceback
from typing import TYPE_CHECKING, Any

from triton_path.jobs.frames import HEADER, encode

if TYPE_CHECKING:
    from types import FrameType

    from triton_path.jobs.messages import Message

MAX_FILE_BYTES = 1 << 30
"""Largest file that a job may write: a runaway loop must not fill the disk."""


def warm_up() -> None:
    """Import what every job needs, so that a forked child has it at once.

    Triton decides between interpreter and GPU when it is imported: without TRITON_INTERPRET the
    job decides, and imports it itself (a quarter of a second). A machine without torch, or with
    a broken one, still serves: the job itself then says so.
    """
    names = ["triton_path.worker.dispatch", "torch"]
    interpreted = os.environ.get("TRITON_INTERPRET") == "1"
    if interpreted:
        # torch's function modes, which stand in for CUDA, import torch._dynamo when first used.
        names += ["triton", "triton.language", "triton_path.worker.watch", "torch._dynamo"]
    for name in names:
        # Anything can come out of a broken installation, an OSError of a library among them.
        with contextlib.suppress(Exception):
            importlib.import_module(name)
    if interpreted:
        with contextlib.suppress(Exception):
            from triton_path.worker.watch.selftest import reason_not_to_watch

            reason_not_to_watch()  # 0.2 s, and what it found is kept


def serve(connection: socket.socket) -> None:
    """Take jobs from `connection` until the tutor closes it.

    For each: a header with the job's two descriptors, its JSON, then the answers "pid N" and,
    when the child has ended, "status N" (a wait status).
    """
    wake_read, wake_write = os.pipe()
    os.set_blocking(wake_write, False)
    signal.set_wakeup_fd(wake_write)
    signal.signal(signal.SIGCHLD, _no_op)
    while True:
        header, descriptors, _, _ = socket.recv_fds(connection, HEADER.size, 2)
        if not header:
            return
        payload = _receive(connection, HEADER.unpack(header)[0])
        if payload is None or _is_closed(connection):
            return  # the tutor died while this process warmed up; nobody waits for the job
        child = os.fork()
        if child == 0:
            connection.close()
            signal.set_wakeup_fd(-1)
            os.close(wake_read)
            os.close(wake_write)
            _run_child(payload, *descriptors)
        # Both sides make the group: a kill that follows the child's number at once must find it.
        with contextlib.suppress(OSError):
            os.setpgid(child, child)
        for descriptor in descriptors:
            os.close(descriptor)
        try:
            connection.sendall(encode(f"pid {child}".encode()))
            status = _wait(child, connection, wake_read)
            if status is None:
                return
            connection.sendall(encode(f"status {status}".encode()))
        except OSError:
            _end(child)
            return


def _no_op(_signal: int, _frame: FrameType | None) -> None:
    """Do nothing; the signal's wakeup byte is what counts."""


def _receive(connection: socket.socket, length: int) -> bytes | None:
    """Return `length` bytes, or None where the connection ended before."""
    data = b""
    while len(data) < length:
        part = connection.recv(length - len(data))
        if not part:
            return None
        data += part
    return data


def _is_closed(connection: socket.socket) -> bool:
    try:
        return connection.recv(1, socket.MSG_PEEK | socket.MSG_DONTWAIT) == b""
    except BlockingIOError:
        return False


def _end(child: int) -> None:
    """End a child and all that it started."""
    with contextlib.suppress(ProcessLookupError):
        os.killpg(child, signal.SIGKILL)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)


def _wait(child: int, connection: socket.socket, wake_fd: int) -> int | None:
    """Return the child's wait status, or None if the tutor went away (the child is ended then)."""
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        ready, _, _ = select.select([wake_fd, connection.fileno()], [], [])
        if wake_fd in ready:
            os.read(wake_fd, 4096)
        if connection.fileno() in ready:
            # The tutor sends nothing while a job runs: this is the end of the connection.
            _end(child)
            return None


def _run_child(payload: bytes, output_fd: int, answer_fd: int) -> None:
    """Become the job: run it, send its answer, leave without returning."""
    exit_code = 1
    try:
        os.setpgid(0, 0)
        for signal_number in (signal.SIGCHLD, signal.SIGPIPE):
            signal.signal(signal_number, signal.SIG_DFL)
        os.dup2(output_fd, 1)
        os.dup2(output_fd, 2)
        os.close(output_fd)
        resource.setrlimit(resource.RLIMIT_CORE, (0, 0))
        _lower_limit(resource.RLIMIT_FSIZE, MAX_FILE_BYTES)
        if os.environ.get("TRITON_INTERPRET") == "1":
            # Not where a GPU is used: CUDA reserves far more address space than it fills.
            _lower_limit(resource.RLIMIT_AS, most_memory_bytes())
        exit_code = _answer(payload, answer_fd)
    finally:
        os._exit(exit_code)


def most_memory_bytes() -> int:
    """Return the address space of an interpreted job: half of this machine's memory, 4 GiB or more.

    A tensor that is too large by accident then fails at its line, and nothing else is swapped out.
    """
    return max(4 << 30, os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES") // 2)


def _lower_limit(which: int, most: int) -> None:
    _, hard = resource.getrlimit(which)
    resource.setrlimit(which, (most if hard == resource.RLIM_INFINITY else min(most, hard), hard))


def _answer(payload: bytes, answer_fd: int) -> int:
    """Do the job and send its result or failure; return the child's exit code."""
    from triton_path.jobs.messages import Failure, Result
    from triton_path.worker.dispatch import perform
    from triton_path.worker.missing import MissingHere

    def send(message: Message) -> None:
        data: Any = encode(message.model_dump_json().encode())
        while data:
            data = data[os.write(answer_fd, data) :]

    try:
        result, exit_code = perform(payload, send)
    except MissingHere as fault:
        send(Failure(reason="missing", message=str(fault), hint=fault.hint))
        return 1
    except Exception as fault:
        detail = traceback.format_exc()
        send(Failure(reason="bug", message=f"{type(fault).__name__}: {fault}", detail=detail))
        return 1
    send(Result(value=result.model_dump(mode="json")))
    return exit_code
