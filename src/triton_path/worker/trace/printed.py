"""Keeps what a file prints, while it still goes where it went."""

from __future__ import annotations

import contextlib
import sys
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Iterator

LINES = 20
"""Lines kept from the end."""
CHARACTERS = 20_000
"""Most that is kept of them."""


class Printed:
    """The end of what was printed."""

    def __init__(self) -> None:
        self._text = ""
        self._newlines = 0

    def add(self, text: str) -> None:
        """Take text as it comes."""
        self._newlines += text.count("\n")
        self._text = (self._text + text)[-CHARACTERS:]

    @property
    def lines(self) -> tuple[str, ...]:
        """The last lines."""
        return tuple(self._text.rstrip("\n").split("\n")[-LINES:]) if self._text else ()

    @property
    def total(self) -> int:
        """How many lines there were in all."""
        return self._newlines + bool(self._text and not self._text.endswith("\n"))


class _Tee:
    """A stream whose text is noted on its way."""

    def __init__(self, stream: Any, printed: Printed) -> None:
        self._stream = stream
        self._printed = printed

    def write(self, text: str) -> int:
        """Write and note."""
        self._printed.add(text)
        return int(self._stream.write(text))

    def writelines(self, lines: Any) -> None:
        """Write and note lines."""
        for line in lines:
            self.write(line)

    def __getattr__(self, name: str) -> Any:
        return getattr(self._stream, name)


@contextlib.contextmanager
def noted() -> Iterator[Printed]:
    """Note what Python code prints inside; a crash then still leaves it in the job's output."""
    printed = Printed()
    streams = sys.stdout, sys.stderr
    sys.stdout, sys.stderr = _Tee(sys.stdout, printed), _Tee(sys.stderr, printed)
    try:
        yield printed
    finally:
        sys.stdout, sys.stderr = streams
