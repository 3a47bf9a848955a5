"""Demos for tests of the sandbox: written, run to their end, looked for among the processes."""

from __future__ import annotations

import os
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.jobs.demo import DemoJob
from triton_path.sandbox import Ended, Output

if TYPE_CHECKING:
    from triton_path.sandbox import Job


def write(folder: Path, text: str) -> DemoJob:
    path = folder / "demo.py"
    path.write_text(text)
    return DemoJob(path=str(path), columns=61, lines=17)


def finish(job: Job) -> tuple[str, Ended]:
    """Return what the job printed and how it ended."""
    printed = b""
    while True:
        for event in job.events(wait_s=1.0):
            if isinstance(event, Output):
                printed += event.data
            elif isinstance(event, Ended):
                return printed.decode(), event


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    # A zombie that nobody has waited for yet is not running.
    return Path(f"/proc/{pid}/stat").read_text().rsplit(")", 1)[1].split()[0] != "Z"
