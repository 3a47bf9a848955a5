"""Reads a text file of a course, refusing what could harm a terminal."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from triton_path.course.faults import Fault

if TYPE_CHECKING:
    from pathlib import Path

MAX_BYTES = 1 << 20
"""Largest file read: a course file is a few kilobytes, and a huge one is a mistake or an attack."""

FORBIDDEN = re.compile("[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff]")
"""Control, zero-width and direction characters: they could hide text or drive the terminal."""


class SourceError(Exception):
    """A file cannot be used; carries its faults."""

    def __init__(self, faults: list[Fault]) -> None:
        super().__init__("\n".join(map(str, faults)))
        self.faults = faults


def odd_character(text: str) -> str | None:
    """Return what is wrong with `text` where it holds a character that a course may not show."""
    odd = FORBIDDEN.search(text)
    return f"holds the control character U+{ord(odd[0]):04X}" if odd else None


def read_text(path: Path, file: str) -> str:
    """Return the text of `path`; `file` names it in faults. Raises SourceError."""

    def refuse(message: str, line: int = 1) -> SourceError:
        return SourceError([Fault(file, line, "", message)])

    try:
        with path.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except OSError as error:
        raise refuse(f"cannot be read: {error.strerror}") from None
    if len(data) > MAX_BYTES:
        raise refuse(f"is larger than {MAX_BYTES >> 20} MiB")
    try:
        text = data.decode("utf-8-sig")  # some editors begin with a mark
    except UnicodeDecodeError as error:
        raise refuse("is not UTF-8", data.count(b"\n", 0, error.start) + 1) from None
    text = text.replace("\r\n", "\n")
    for number, line in enumerate(text.split("\n"), start=1):
        odd = odd_character(line)
        if odd:
            raise refuse(odd, number)
    return text
