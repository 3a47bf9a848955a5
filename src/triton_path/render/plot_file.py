"""A figure in a file, PNG or SVG by its suffix: one style for all figures.

Importing this imports matplotlib, half a second: only `--plot` does.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import matplotlib

from triton_path.tutor.trace_plot import unwritable

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

    from matplotlib.figure import Figure

DOTS_PER_INCH = 120
STYLE: dict[Any, Any] = {
    "font.size": 9,
    "axes.titlesize": 10,
    "axes.titlelocation": "left",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "text.parse_math": False,  # a source line may hold a dollar sign
    "svg.hashsalt": "triton-path",  # the same file for the same figure
}


def draw_into(path: Path, make: Callable[[], Figure], *, hatch_width: float) -> None:
    """Make a figure in our style, its hatches `hatch_width` points wide, and write it to `path`.

    Raises MissingFault where the file cannot be written.
    """
    with matplotlib.rc_context({**STYLE, "hatch.linewidth": hatch_width}):
        figure = make()
        try:
            figure.savefig(path, dpi=DOTS_PER_INCH, metadata=_metadata(path))
        except OSError as fault:
            raise unwritable(path, fault.strerror or str(fault)) from None


def _metadata(path: Path) -> dict[str, str | None]:
    """Leave out when it was made: the same figure then gives the same file."""
    return {"Date": None} if path.suffix.lower() == ".svg" else {"Software": "triton-path"}
