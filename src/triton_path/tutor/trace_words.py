"""What a trace says on the command line and on the screen alike."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triton_path.jobs.trace import TooLarge


def too_large_text(found: TooLarge, name: str) -> str:
    """Say what did not fit into memory, and where the file `name` asked for it."""
    where = f"{name}:{found.line}" if found.line is not None else name
    asked = (
        f"{found.bytes_asked / 1e9:.1f} GB" if found.bytes_asked else "more memory than there is"
    )
    text = f"{where} asks for {asked}"
    if found.source:
        text += f": {found.source}"
    if found.bytes_allowed is not None:
        text += (
            f"\nIn the interpreter a file has {found.bytes_allowed / 1e9:.1f} GB for everything."
        )
    return text


def itemsize(dtype: str) -> int:
    """Return the bytes of an element; 1 where the name does not tell."""
    digits = dtype[5:6] if dtype.startswith("float8") else "".join(c for c in dtype if c.isdigit())
    return max(1, int(digits or 8) // 8)
