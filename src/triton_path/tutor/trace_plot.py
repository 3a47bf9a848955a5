"""Where a trace's figure goes, looked at before anything runs."""

from __future__ import annotations

import importlib.util
import os
from pathlib import Path

from triton_path.errors import MissingFault, UsageFault

SUFFIXES = (".png", ".svg")
INSTALL = "pip install 'triton-path[plot]'"


def parse_plot(text: str) -> Path:
    """Read the name of a picture's file.

    Raises UsageFault where it is no PNG or SVG, MissingFault where it cannot be written or
    matplotlib is missing.
    """
    path = Path(text)
    if path.suffix.lower() not in SUFFIXES:
        message = f"'{text}' is neither PNG nor SVG: its name has to end in .png or .svg."
        raise UsageFault(message, hint=f"--plot {path.with_suffix('.png').name or 'trace.png'}")
    folder = path.parent
    if path.is_dir() or not folder.is_dir():
        what = "is a folder" if path.is_dir() else f"would lie in '{folder}', which is no folder"
        raise UsageFault(f"'{text}' {what}.", hint=f"--plot {path.name}")
    if not os.access(path if path.exists() else folder, os.W_OK):
        raise unwritable(path, "no permission")
    if importlib.util.find_spec("matplotlib") is None:
        raise MissingFault("--plot needs matplotlib, which is not installed.", hint=INSTALL)
    return path


def unwritable(path: Path, reason: str) -> MissingFault:
    """Return the fault for a figure that cannot be written."""
    message = f"'{path}' cannot be written: {reason}."
    return MissingFault(message, hint=f"--plot /tmp/{path.name}")
