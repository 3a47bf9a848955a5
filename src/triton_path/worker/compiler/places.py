"""From instructions back to source lines, through every function that was inlined.

The PTX of Triton and AMD's assembly hold, before the instructions, lines such as

    .loc 2 170 27    // standard.py:170:27 @[ standard.py:191:40 @[ kern.py:6:15 ] ]
    .loc 2 287 12, function_name $L__info_string0, inlined_at 2 314 12    // standard.py:287:12

the first up to Triton 3.8, the second from 3.9 on. The first number names a `.file`. The calls are
told by the comment, innermost first (3.4 tells only the outermost), or by the place of the call,
which is that of an earlier `.loc`.
"""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import PurePath

from triton_path.worker.compiler import private

LOC = re.compile(
    r"^\s*\.loc\s+(?P<file>\d+)\s+(?P<line>\d+)\s+(?P<column>\d+)"
    r"(?:.*?inlined_at (?P<call>\d+ \d+ \d+))?[^/;]*(?:(?://|;)\s*(?P<comment>.*))?$"
)
FILE = re.compile(r'^\s*\.file\s+(\d+)\s+"([^"]+)"(?:\s+"([^"]+)")?')
FRAME = re.compile(r"([^\s@\[\]]+):(\d+):\d+")
INLINE_ASSEMBLY = re.compile(r"^\s*// (begin|end) inline asm")

Frame = tuple[str, int]
"""File and line."""
Frames = tuple[Frame, ...]
"""Innermost first."""


@dataclass(frozen=True)
class Places:
    """The frames of each line of a listing; index 0 is line 1."""

    frames: tuple[Frames, ...]

    def at(self, line: int) -> Frames:
        """Return the frames of a line of the listing, counted from 1."""
        return self.frames[line - 1] if 0 < line <= len(self.frames) else ()


def read_places(listing: str) -> Places:
    """Read the `.file` and `.loc` lines of PTX or of AMD's assembly."""
    lines = listing.splitlines()
    files = {}
    for line in lines:
        if found := FILE.match(line):
            files[found[1]] = str(PurePath(found[2], found[3])) if found[3] else found[2]
    reader = _Reader(files)
    return Places(tuple(reader.frames_of(line) for line in lines))


class _Reader:
    """Goes through a listing once; `frames_of` takes its lines in order."""

    def __init__(self, files: dict[str, str]) -> None:
        self._files = files
        self._by_name = {PurePath(path).name: path for path in files.values()}
        self._now: Frames = ()
        self._by_place: dict[str, Frames] = {}
        self._in_assembly = self._placed = False

    def frames_of(self, line: str) -> Frames:
        if marked := INLINE_ASSEMBLY.match(line):
            self._in_assembly, self._placed = marked[1] == "begin", False
        # Line 0 stands for instructions that belong to no line: they stay with the one before.
        elif (found := LOC.match(line)) and found["line"] != "0" and not self._placed:
            file = self._files.get(found["file"], "")
            own = (file, int(found["line"]))
            # In the text of an instruction, Triton 3.9 counts a line up for each of its lines, and
            # leaves the calls out: only the first counts, and only if it says something new.
            self._placed = self._in_assembly
            if not self._in_assembly or own not in self._now[:1]:
                self._now = (own, *self._callers(found))
                key = f"{found['file']} {found['line']} {found['column']}"
                self._by_place[key] = self._now
        return self._now

    def _callers(self, found: re.Match[str]) -> Frames:
        if call := found["call"]:
            file, line, _ = call.split()
            return self._by_place.get(call, ((self._files.get(file, ""), int(line)),))
        named = FRAME.findall(found["comment"] or "")[1:]
        return tuple((self._by_name.get(name, name), int(number)) for name, number in named)


def own_frames(frames: Frames) -> Frames:
    """Return the frames outside of Triton's own library."""
    return tuple(frame for frame in frames if not frame[0].startswith(private.LIBRARY))
