"""A demo's panel, drawn as a terminal."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from rich.cells import cell_len
from rich.panel import Panel
from rich.text import Text

from triton_path.render import theme

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.course.blocks import Demo


@dataclass(frozen=True)
class PanelState:
    """How a run stands, and what the panel's lower edge says of it."""

    name: Literal["running", "finished", "failed", "stopped"]
    text: str


STATE_STYLES = {
    "running": theme.ACCENT,
    "finished": theme.RIGHT,
    "failed": theme.WRONG,
    "stopped": theme.NOTE,
}


def ready_panel(demo: Demo, *, own_copy: bool, last_run: str | None) -> Panel:
    """Return the small panel below a section's text: how it stands, what `r` and `e` do.

    `last_run` says how the demo ended when it last ran; None where it has not run yet.
    """
    text = Text("Ready. " if last_run is None else f"It {last_run}. ")
    text.append("r", theme.KEY)
    text.append(f" runs {demo.path.name}" if last_run is None else " runs it again")
    fits = cell_len(text.plain) + cell_len(demo.title) < 68
    text.append(": " + demo.title if last_run is None and fits else "")
    text.append("\n")
    text.append("e", theme.KEY)
    text.append(" opens your copy of it" if own_copy else " opens a copy of it in your editor")
    if demo.edit:
        text.append(f". Try: {demo.edit}")
    return Panel(text, title="terminal", title_align="left", border_style=theme.QUIET)


def panel(lines: Sequence[str], height: int, title: str, state: PanelState) -> Panel:
    """Return the full panel with `lines` of output in `height` rows."""
    text = Text("\n".join(lines), no_wrap=True, overflow="crop")
    return Panel(
        text,
        title=title,
        title_align="left",
        subtitle=state.text or "running",
        subtitle_align="right",
        border_style=STATE_STYLES[state.name],
        padding=0,
        height=height + 2,
    )
