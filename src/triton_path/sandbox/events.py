"""What comes of a job, as it comes."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from triton_path.jobs.messages import Failure, Progress, Result

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
