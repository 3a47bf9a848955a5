"""The bench of a person's own chain: which file, and what came of it."""

from __future__ import annotations

from typing import Literal

from triton_path.jobs.bench import BenchReport, Verification
from triton_path.jobs.messages import Message


class FileJob(Message):
    """Count, check and time the chain of a file; on a CPU count it."""

    kind: Literal["bench-file"] = "bench-file"
    path: str


class FileVerifyJob(Message):
    """Check the candidates of a file in the interpreter; the worker must be started for it."""

    kind: Literal["bench-file-verify"] = "bench-file-verify"
    path: str


class FileTrouble(Message):
    """Why a file could not be benched."""

    message: str
    """What is wrong with it, in a sentence or two."""
    detail: str = ""
    """Traceback of what it raised, its own lines only."""
    mend: str = ""
    """What to write, where that is known."""


class FileAnswer(Message):
    """What the worker found."""

    trouble: FileTrouble | None = None
    report: BenchReport | None = None
    candidates: tuple[str, ...] = ()
    """Names of the file's candidates."""
    verification: Verification | None = None
    notes: tuple[str, ...] = ()
