"""Tracebacks cut to the frames of a person's own file and its neighbours."""

from __future__ import annotations

import traceback
from pathlib import Path


def short_traceback(fault: BaseException, path: Path, *, or_all: bool = False) -> str:
    """Return the traceback of `fault` with the frames of the file and its neighbours alone.

    An interpreted kernel fails six to eight Triton frames below the line that a person wrote.
    `or_all` shows all frames of an exception that has none of the person's own.
    """
    shown = traceback.TracebackException.from_exception(fault)
    if isinstance(fault, SyntaxError) and fault.filename == str(path):
        # It names the place itself; the frames are those of the import machinery.
        shown.stack.clear()
    part: traceback.TracebackException | None = shown
    while part is not None:
        own = [frame for frame in part.stack if _is_own(Path(frame.filename), path)]
        if own or not or_all:
            part.stack = traceback.StackSummary.from_list(own)
        part = part.__cause__ or part.__context__
    return "".join(shown.format()).rstrip()


def _is_own(file: Path, path: Path) -> bool:
    near = file.is_relative_to(path.parent) and "site-packages" not in file.parts
    return file == path or (near and not file.is_relative_to(Path(__file__).parents[1]))
