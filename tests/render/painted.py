"""A screen that keeps what is painted on it, and whose keys are known beforehand."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.terminal.safe_text import harmless

if TYPE_CHECKING:
    from collections.abc import Sequence


class PaintedScreen:
    def __init__(self, columns: int, rows: int, keys: Sequence[str] = ()) -> None:
        self.size = (columns, rows)
        self.keys = list(keys)
        self.frames: list[list[str]] = []

    def paint(self, lines: Sequence[str], cursor: tuple[int, int] | None = None) -> None:
        self.frames.append([harmless(line).rstrip() for line in lines])

    has_keys = False
    """Every step is painted, as for a slow typist."""

    def read_key(self) -> str:
        return self.keys.pop(0) if self.keys else "q"


class NoWorker:
    """Demos are not run here."""

    def warm_up(self) -> None:
        pass
