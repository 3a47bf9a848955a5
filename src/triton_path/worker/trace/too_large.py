"""Tells a file that needs more memory than there is from one that raised."""

from __future__ import annotations

import linecache
import re
import resource
import traceback
from typing import TYPE_CHECKING

from triton_path.jobs.trace import TooLarge

if TYPE_CHECKING:
    from pathlib import Path

REFUSED = re.compile(r"allocate memory: you tried to allocate (\d+) bytes")
"""How torch's allocator says it."""


def too_large(fault: BaseException, path: Path) -> TooLarge | None:
    """Return what did not fit, and where the file at `path` asked for it; None for other faults."""
    refused = REFUSED.search(str(fault))
    if refused is None and not isinstance(fault, MemoryError):
        return None
    allowed, _ = resource.getrlimit(resource.RLIMIT_AS)
    frames = traceback.extract_tb(fault.__traceback__)
    lines = [frame.lineno for frame in frames if frame.filename == str(path)]
    line = lines[-1] if lines else None
    return TooLarge(
        bytes_asked=int(refused[1]) if refused else None,
        bytes_allowed=None if allowed == resource.RLIM_INFINITY else allowed,
        line=line,
        source=linecache.getline(str(path), line).strip() if line else "",
    )
