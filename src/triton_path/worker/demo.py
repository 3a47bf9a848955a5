"""Runs a demo file as `python FILE` would, with a traceback cut to the learner's own lines."""

from __future__ import annotations

import os
import runpy
import sys
import traceback
from pathlib import Path

from triton_path.jobs.demo import DemoEnd, DemoJob


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
        print_short_traceback(fault, Path(job.path))
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


def print_short_traceback(fault: BaseException, path: Path) -> None:
    """Write the traceback of `fault` to stderr without the frames outside `path`.

    An interpreted kernel fails six to eight Triton frames below the line that a learner wrote.
    Where no frame lies in `path`, all of them are shown.
    """
    shown = traceback.TracebackException.from_exception(fault)
    if isinstance(fault, SyntaxError) and fault.filename == str(path):
        # It names the place itself; the frames are those of the import machinery.
        shown.stack.clear()
    part: traceback.TracebackException | None = shown
    while part is not None:
        own = [frame for frame in part.stack if frame.filename == str(path)]
        if own:
            part.stack = traceback.StackSummary.from_list(own)
        part = part.__cause__ or part.__context__
    sys.stderr.write("".join(shown.format()))
