"""What can go wrong for the person at the keyboard, and the exit code that says so."""

from __future__ import annotations

from difflib import get_close_matches
from enum import IntEnum
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Iterable


class ExitCode(IntEnum):
    """Every exit code of the program; the README lists them for scripts."""

    OK = 0
    WRONG = 1
    """The answer or the check was wrong."""
    USAGE = 2
    MISSING = 3
    """Something that the command needs is not on this machine."""
    BROKEN_COURSE = 4
    BUG = 5
    INTERRUPTED = 130


class TutorError(Exception):
    """A fault that the person can act on; `hint` is the next command to type."""

    exit_code = ExitCode.USAGE

    def __init__(self, message: str, hint: str | None = None) -> None:
        super().__init__(message)
        self.message = message
        self.hint = hint


class UsageFault(TutorError):
    """The command was called with something it cannot take."""


class MissingFault(TutorError):
    """A package, a device, a file or a permission is missing on this machine."""

    exit_code = ExitCode.MISSING


class CourseFault(TutorError):
    """The course folder breaks its own rules; the message lists every fault found."""

    exit_code = ExitCode.BROKEN_COURSE


def unknown_name(kind: str, name: str, known: Iterable[str], list_command: str) -> UsageFault:
    """Build the fault for a `name` that is none of `known`, with the nearest one offered.

    `kind` is the word for what was named ("lesson"); `list_command` shows all of them.
    """
    names = list(known)
    wanted = name.lower()
    begun = [candidate for candidate in names if wanted and candidate.startswith(wanted)]
    nearest = begun or get_close_matches(wanted, names, n=1, cutoff=0.5)
    offer = f" Did you mean '{nearest[0]}'?" if nearest else ""
    return UsageFault(f"There is no {kind} '{name}'.{offer}", hint=list_command)
