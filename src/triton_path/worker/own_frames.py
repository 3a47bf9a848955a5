"""Tracebacks cut to the frames of a person's own file and its neighbours."""

from __future__ import annotations

import traceback
from pathlib import Path


def short_traceback(fault: BaseException, path: Path) -> str:
    """Return the traceback of `fault` with the frames of the file and its neighbours alone."""
    shown = traceback.TracebackException.from_exception(fault)
    part: traceback.TracebackException | None = shown
    while part is not None:
        own = [frame for frame in part.stack if _is_own(Path(frame.filename), path)]
        part.stack = traceback.StackSummary.from_list(own)
        part = part.__cause__ or part.__context__
    return "".join(shown.format()).rstrip()


def _is_own(file: Path, path: Path) -> bool:
    near = file.is_relative_to(path.parent) and "site-packages" not in file.parts
    return file == path or (near and not file.is_relative_to(Path(__file__).parents[1]))
