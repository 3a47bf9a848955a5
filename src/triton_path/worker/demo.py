"""Runs a demo file as `python FILE` would, with a traceback cut to the learner's own lines."""

from __future__ import annotations

import os
import runpy
import sys
from pathlib import Path

from triton_path.jobs.demo import DemoEnd, DemoJob
from triton_path.worker.own_frames import short_traceback


def run_demo(job: DemoJob) -> DemoEnd:
    """Run the file of `job` in this process; what it prints goes to the process's stdout."""
    os.environ.update(COLUMNS=str(job.columns), LINES=str(job.lines))
    sys.argv = [job.path]
    sys.path.insert(0, str(Path(job.path).parent))
    try:
        runpy.run_path(job.path, run_name="__main__")
        code = 0
    except SystemExit as leaving:
        code = _exit_code(leaving)
    except BaseException as fault:
        sys.stderr.write(f"{short_traceback(fault, Path(job.path), or_all=True)}\n")
        code = 1
    sys.stdout.flush()
    sys.stderr.flush()
    return DemoEnd(exit_code=code)


def _exit_code(leaving: SystemExit) -> int:
    """Follow Python's own rule: no code is 0, a number is itself, text is printed and gives 1."""
    if leaving.code is None:
        return 0
    if isinstance(leaving.code, int):
        return leaving.code
    sys.stderr.write(f"{leaving.code}\n")
    return 1
