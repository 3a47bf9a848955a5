"""Runs one probe in a process that imported nothing yet, and survives whatever that does.

The warm worker of `sandbox` imports torch before its first job, and hands it descriptors: a torch
that kills its process, or Windows, would leave the doctor without any answer.
"""

from __future__ import annotations

import contextlib
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, TypeVar

from triton_path.jobs.doctor import ProbeJob
from triton_path.jobs.messages import ANSWER, Message, Result
from triton_path.sandbox import worker_environment

if TYPE_CHECKING:
    from triton_path.jobs.doctor import Probe

FoundT = TypeVar("FoundT", bound=Message)
TIME_LIMIT_SECONDS = 90.0
"""A first import of torch from a network file system takes most of this."""


@dataclass(frozen=True)
class Died:
    """The process ended without an answer; `how` goes after "it"."""

    how: str


class ColdProbe:
    """A probe that was started; `found` waits for what it found."""

    def __init__(self, probe: Probe) -> None:
        """Start it and return at once."""
        job = ProbeJob(probe=probe)
        self._deadline = time.monotonic() + TIME_LIMIT_SECONDS
        self._process = subprocess.Popen(
            [sys.executable, "-m", "triton_path.worker.doctor", job.model_dump_json()],
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.PIPE,
            # Ctrl-C is for the tutor to handle, and the group is ended as one.
            start_new_session=True,
            env=worker_environment(interpret=probe == "interpreter"),
        )

    def found(self, kind: type[FoundT]) -> FoundT | Died:
        """Return the answer as a `kind`, or how the process ended without one."""
        try:
            left = max(0.0, self._deadline - time.monotonic())
            out, err = self._process.communicate(timeout=left)
        except subprocess.TimeoutExpired:
            self.close()
            return Died(f"did not end within {TIME_LIMIT_SECONDS:.0f} s")
        if not out:
            return Died(how_it_ended(self._process.returncode, err.decode(errors="replace")))
        answer = ANSWER.validate_json(out)
        if isinstance(answer, Result):
            return kind.model_validate(answer.value)
        return Died(f"failed inside triton-path: {getattr(answer, 'message', answer)}")

    def close(self) -> None:
        """End the process and all that it started."""
        with contextlib.suppress(OSError):
            if hasattr(os, "killpg"):
                os.killpg(self._process.pid, signal.SIGKILL)
            else:
                self._process.kill()
        for pipe in (self._process.stdout, self._process.stderr):
            if pipe is not None:
                with contextlib.suppress(OSError):
                    pipe.close()
        self._process.wait()


def how_it_ended(code: int, printed: str) -> str:
    """Say how a process with this exit code, negative for a signal, came to its end."""
    if code < 0:
        try:
            name = signal.Signals(-code).name
        except ValueError:
            name = f"signal {-code}"
        text = f"ended its process by {name}"
    else:
        text = f"ended its process with exit code {code}"
    # The last thing said is most often the reason, as in "what():  libcuda.so.1".
    last = [line.strip() for line in printed.splitlines() if line.strip()][-1:]
    return f"{text}: {last[0][:120]}" if last else text
