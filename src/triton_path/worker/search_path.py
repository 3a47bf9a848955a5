"""Where a worker looks for modules."""

from __future__ import annotations

import sys
from pathlib import Path


def leave_out_current_folder() -> None:
    """Keep a file named torch.py there from being taken for torch.

    PYTHONSAFEPATH does it from Python 3.11 on; 3.10 does not know it.
    """
    sys.path[:] = [entry for entry in sys.path if entry and Path(entry) != Path.cwd()]
