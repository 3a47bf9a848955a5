"""Run a Python file as a person would, its output going to the tutor as it comes."""

from __future__ import annotations

from typing import Literal

from triton_path.jobs.messages import Message


class DemoJob(Message):
    """A demo of a lesson, or the learner's own copy of it."""

    kind: Literal["demo"] = "demo"
    path: str
    """The file to run."""
    columns: int
    """Width that the output is shown in, in character cells; the demo sees it as COLUMNS."""
    lines: int
    """Height that the output is shown in; the demo sees it as LINES."""


class DemoEnd(Message):
    """How the file ended."""

    exit_code: int
    """What the file passed to `sys.exit`, 0 where it ran to its end, 1 where it raised."""
