"""A server that imported torch once and gives each job a process of its own.

The process is forked where that is possible, which takes milliseconds; else Python is started
afresh. The server itself never touches CUDA: what CUDA sets up does not survive a fork, so each
job sets up its own, and an illegal access costs that job alone.
"""

from __future__ import annotations

import contextlib
import importlib
import os
import select
import signal
import socket
from typing import TYPE_CHECKING

from triton_path.jobs.frames import HEADER, encode
from triton_path.jobs.machine import WARM_VARIABLE
from triton_path.worker.family import (
    MOST_PROCESSES,
    adopt_orphans,
    end_family,
    is_forking_on,
    threads_here,
)
from triton_path.worker.starting import can_fork, start

if TYPE_CHECKING:
    from types import FrameType


LOOK_SECONDS = 0.25
"""Between two looks at how many processes a job has."""
TOO_MANY = f"\nStopped: it had started more than {MOST_PROCESSES} processes.\n".encode()
NOT_STARTED = 1 << 8
"""The wait status of exit code 1, for a job that no process could be started for."""


def warm_up() -> None:
    """Import what every job needs, so that a forked child has it at once.

    Triton decides between interpreter and GPU when it is imported: without TRITON_INTERPRET the
    job decides, and imports it itself (a quarter of a second). A machine without torch, or with
    a broken one, still serves: the job itself then says so.
    """
    if not can_fork():
        return  # no job would get anything of it
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

    if os.environ.get(WARM_VARIABLE) == "practice":
        with contextlib.suppress(Exception):
            from triton_path.worker.practice.warming import warm_up as warm_up_practice

            warm_up_practice(interpreted=interpreted)


def serve(connection: socket.socket) -> None:
    """Take jobs from `connection` until the tutor closes it.

    For each: a header with the job's two descriptors, its JSON, then the answers "pid N" and,
    when the child and all that it started have ended, "status N" (a wait status).
    """
    adopt_orphans()
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
        output_fd, answer_fd = descriptors
        closed_in_child = (connection.fileno(), wake_read, wake_write)
        child = start(payload, output_fd, answer_fd, closed_in_child)
        os.close(answer_fd)
        if child is None:
            os.close(output_fd)
            connection.sendall(encode(f"status {NOT_STARTED}".encode()))
            continue
        try:
            connection.sendall(encode(f"pid {child}".encode()))
            status = _wait(child, connection, wake_read, output_fd)
            end_family(child)
            if status is None:
                return
            connection.sendall(encode(f"status {status}".encode()))
        except OSError:
            end_family(child)
            return
        finally:
            os.close(output_fd)


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


def _wait(child: int, connection: socket.socket, wake_fd: int, output_fd: int) -> int | None:
    """Return the child's wait status, or None if the tutor went away first."""
    threads_before = threads_here()
    told = False
    while True:
        ended, status = os.waitpid(child, os.WNOHANG)
        if ended:
            return status
        ready, _, _ = select.select([wake_fd, connection.fileno()], [], [], LOOK_SECONDS)
        if wake_fd in ready:
            os.read(wake_fd, 4096)
        if connection.fileno() in ready:
            # The tutor sends nothing while a job runs: this is the end of the connection.
            return None
        if not told and is_forking_on(threads_before):
            with contextlib.suppress(OSError):
                os.killpg(child, signal.SIGKILL)
            # Its group is dead: nobody minds that the shared pipe does not block any more.
            os.set_blocking(output_fd, False)
            with contextlib.suppress(OSError):
                os.write(output_fd, TOO_MANY)
            told = True
