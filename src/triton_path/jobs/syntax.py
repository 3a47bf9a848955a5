"""A file that is no Python: said in the same words by the tutor and by a worker."""

from __future__ import annotations

import warnings
from typing import TYPE_CHECKING

from triton_path.jobs.practice import Finding
from triton_path.jobs.watch import Place

if TYPE_CHECKING:
    from pathlib import Path


def unparsable(path: Path, content: bytes) -> Finding | None:
    """Return what is wrong with the Python of a file; None where only its import can tell."""
    try:
        text = content.decode("utf-8-sig")
        with warnings.catch_warnings():
            warnings.simplefilter("ignore")  # a worker says them again
            compile(text, str(path), "exec", dont_inherit=True)
    except SyntaxError as fault:
        return not_python(fault, path, text)
    except (ValueError, RecursionError, MemoryError):
        return None
    return None


def not_python(fault: SyntaxError, path: Path, text: str) -> Finding:
    """Return the finding for `fault`, which came up while `text` of the file was compiled."""
    return Finding(
        kind="does-not-import",
        stage="import",
        sentence=f"{path.name} is not valid Python: {fault.msg}.",
        place=_place(fault, path, text),
    )


def _place(fault: SyntaxError, path: Path, text: str) -> Place | None:
    lines = text.splitlines()
    if fault.lineno is None or fault.filename != str(path):
        return None
    column = None if fault.offset is None else max(0, fault.offset - 1)
    return Place(
        file=str(path),
        line=fault.lineno,
        end_line=fault.lineno,
        column=column,
        end_column=None if column is None else column + 1,
        function="",
        source=lines[fault.lineno - 1].rstrip() if 0 < fault.lineno <= len(lines) else "",
    )
