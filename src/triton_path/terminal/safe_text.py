"""Makes text from elsewhere harmless, and drawings readable where UTF-8 cannot be written."""

from __future__ import annotations

import codecs
import re

CONTROL_SEQUENCE = re.compile(
    r"\x1b\[[0-?]*[ -/]*[@-~]"  # CSI: colours, cursor movement
    r"|\x1b\][^\x07\x1b]*(?:\x07|\x1b\\)?"  # OSC: titles, links, the clipboard
    r"|\x1b[PX^_][^\x1b]*(?:\x1b\\)?"  # strings for the terminal itself
    r"|\x1b[ -/]*[0-~]"  # two-character escapes
)
HIDDEN = re.compile(
    "[\x00-\x08\x0b-\x1f\x7f-\x9f\u200b-\u200f\u2028-\u202e\u2066-\u2069\ufeff\ud800-\udfff]"
)


def harmless(text: str) -> str:
    """Return `text` with control sequences gone and other control characters made visible.

    New lines stay, tabs become spaces; of a line rewritten with carriage returns, as progress
    bars do, the last form stays.
    """
    text = CONTROL_SEQUENCE.sub("", text).replace("\r\n", "\n")
    lines = [line.rstrip("\r").rsplit("\r", 1)[-1] for line in text.split("\n")]
    return HIDDEN.sub("\ufffd", "\n".join(lines).expandtabs(8))


DRAWN_IN_ASCII = {
    **dict.fromkeys("─━┄┈╌═╴╶╸╺", "-"),
    **dict.fromkeys("│┃┆┊╎║▏▕▌▐", "|"),
    **dict.fromkeys("┌┐└┘├┤┬┴┼╭╮╰╯╔╗╚╝╠╣╦╩╬┏┓┗┛┝┥┯┷┿╞╡╪", "+"),
    **dict.fromkeys("█▓▉▊▋", "#"),
    **dict.fromkeys("░▒▍▎", "."),
    **dict.fromkeys("●◉■▪•", "*"),
    **dict.fromkeys("○◯□▫·", "."),
    **dict.fromkeys("▸▶►→❯›»", ">"),
    **dict.fromkeys("◂◀◄←❮‹«", "<"),
    **dict.fromkeys("▲△↑", "^"),
    **dict.fromkeys("▼▽↓", "v"),
    "★": "*",
    "☆": "-",
    "✓": "+",
    "✗": "x",
    "×": "x",
    "÷": "/",
    "…": "...",
    "–": "-",
    "—": "-",
    "‘": "'",
    "’": "'",
    "“": '"',
    "”": '"',
    "≤": "<=",
    "≥": ">=",
    "≈": "~",
    "≠": "!=",
    "µ": "u",
    "μ": "u",
}

ASCII_ERRORS = "drawn-in-ascii"


def _drawn_in_ascii(error: UnicodeError) -> tuple[str, int]:
    if not isinstance(error, UnicodeEncodeError):
        raise error
    part = error.object[error.start : error.end]
    return "".join(DRAWN_IN_ASCII.get(character, "?") for character in part), error.end


codecs.register_error(ASCII_ERRORS, _drawn_in_ascii)
