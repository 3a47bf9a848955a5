"""From bytes to named keys. Pure: `screen` reads the bytes."""

from __future__ import annotations

from codecs import getincrementaldecoder

Key = str
"""A printable character, or a name: `enter`, `left`, `page-down`, `ctrl-c`, `resize`.

In a paste, characters are keys like any other. A line's end there is `line-end`, which a field
takes for a space and nothing else answers to: pasted text must not give answers.
"""

PASTE_BEGINS, PASTE_ENDS = "200~", "201~"

CONTROL_KEYS = {
    "\r": "enter",
    "\n": "enter",
    "\t": "tab",
    "\x7f": "backspace",
    "\x08": "backspace",
    "\x03": "ctrl-c",
    "\x04": "ctrl-d",
    "\x0c": "ctrl-l",
    "\x15": "ctrl-u",
    "\x17": "ctrl-w",
    "\x1a": "ctrl-z",
}

CSI_KEYS = {
    "A": "up",
    "B": "down",
    "C": "right",
    "D": "left",
    "H": "home",
    "F": "end",
    "1~": "home",
    "7~": "home",
    "4~": "end",
    "8~": "end",
    "3~": "delete",
    "5~": "page-up",
    "6~": "page-down",
    "Z": "shift-tab",
}


class KeyDecoder:
    """Turns the bytes of a terminal into keys, however they are cut into reads.

    An escape character begins a sequence or is the Escape key itself: only a pause tells, so the
    caller asks for `flush` when `pending` has been true for a moment.
    """

    def __init__(self) -> None:
        self._utf8 = getincrementaldecoder("utf-8")(errors="replace")
        self._text = ""
        self._pasting = False

    @property
    def pending(self) -> bool:
        """Whether an escape sequence has begun and not ended."""
        return bool(self._text)

    def feed(self, data: bytes) -> list[Key]:
        """Add bytes; return the keys that are complete."""
        return self._take(self._utf8.decode(data))

    def flush(self) -> list[Key]:
        """Nothing more came: take what is pending as Escape and the characters behind it."""
        if not self._text:
            return []
        rest, self._text = self._text[1:], ""
        return ["escape", *self._take(rest)]

    def _take(self, text: str) -> list[Key]:
        self._text += text
        keys: list[Key] = []
        while self._text:
            length, key = _first_key(self._text)
            if not length:
                break
            self._text = self._text[length:]
            if key in (PASTE_BEGINS, PASTE_ENDS):
                self._pasting = key == PASTE_BEGINS
            elif key:
                keys.append("line-end" if self._pasting and key in ("enter", "tab") else key)
        return keys


def _first_key(text: str) -> tuple[int, Key | None]:
    """Return the length of the first key in `text` and its name.

    A length of 0 means that the sequence has not ended; a name of None, that it means nothing.
    """
    first = text[0]
    if first != "\x1b":
        if first in CONTROL_KEYS:
            return 1, CONTROL_KEYS[first]
        return 1, first if first.isprintable() else None
    if len(text) == 1:
        return 0, None
    if text[1] == "\x1b":
        return 1, "escape"
    if text[1] not in "[O":
        return 2, None  # Alt with a character
    for end in range(2, len(text)):
        if "@" <= text[end] <= "~":
            sequence = text[2 : end + 1]
            if sequence in (PASTE_BEGINS, PASTE_ENDS):
                return end + 1, sequence
            return end + 1, CSI_KEYS.get(_without_modifiers(sequence))
        if not " " <= text[end] <= "?":
            return end, None  # no sequence after all: what broke it, such as Ctrl-C, is a key
    return 0, None


def _without_modifiers(sequence: str) -> str:
    """Reduce `1;5C` (Ctrl with an arrow) to `C`, and `5;2~` to `5~`."""
    parameters, final = sequence[:-1], sequence[-1]
    if ";" in parameters:
        parameters = parameters.split(";")[0]
        if final != "~":
            parameters = ""
    return parameters + final
