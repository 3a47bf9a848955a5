"""A line of text being typed. Pure: keys go in, text and cursor come out."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triton_path.terminal.keys import Key


@dataclass
class LineEditor:
    """Text with a cursor; `press` changes it."""

    text: str = ""
    limit: int = 2000
    """Most characters that are taken."""
    cursor: int = 0

    def __post_init__(self) -> None:
        self.cursor = len(self.text)

    def press(self, key: Key) -> bool:
        """Apply `key`; return whether the editor had a use for it."""
        before, after = self.text[: self.cursor], self.text[self.cursor :]
        if key == "line-end" and before.endswith(" "):
            return True  # the second half of a line's end, or an empty line
        if len(key) == 1 or key == "line-end":
            if len(self.text) < self.limit:
                self._set(before + (key if len(key) == 1 else " "), after)
        elif key == "backspace":
            self._set(before[:-1], after)
        elif key == "delete":
            self._set(before, after[1:])
        elif key == "ctrl-u":
            self._set("", after)
        elif key == "ctrl-w":
            words = before.rstrip()
            self._set(words[: words.rfind(" ") + 1], after)
        elif key == "left":
            self.cursor = max(0, self.cursor - 1)
        elif key == "right":
            self.cursor = min(len(self.text), self.cursor + 1)
        elif key == "home":
            self.cursor = 0
        elif key == "end":
            self.cursor = len(self.text)
        else:
            return False
        return True

    def _set(self, before: str, after: str) -> None:
        self.text = before + after
        self.cursor = len(before)
