"""Files that belong to the learner: read with care, never overwritten."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from triton_path.errors import MissingFault, UsageFault
from triton_path.terminal.safe_text import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

MAX_BYTES = 1 << 20
"""Largest file taken for a kernel."""
ELSEWHERE = "triton-path practice start --dir FOLDER"


def kind_of(path: Path) -> Literal["file", "folder", "nothing", "other"]:
    """Return what is at `path`; what cannot even be asked for is nothing."""
    try:
        if path.is_file():
            return "file"
        if path.is_dir():
            return "folder"
        return "other" if path.exists() else "nothing"
    except (OSError, ValueError):  # a name that is too long, a folder that may not be entered
        return "nothing"


def shown(path: Path) -> str:
    """Return a path as a person would type it here."""
    with contextlib.suppress(ValueError, OSError):
        return harmless(str(path.relative_to(Path.cwd())))
    with contextlib.suppress(ValueError, RuntimeError):
        return harmless(str(Path("~") / path.relative_to(Path.home())))
    return harmless(str(path))


def read_own(path: Path, hint: str | None = None) -> str:
    """Return the text of a learner's file.

    Raises UsageFault for what is no text in UTF-8; `hint` is the command to type once it is.
    """
    try:
        with path.open("rb") as handle:
            data = handle.read(MAX_BYTES + 1)
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise UsageFault(f"{shown(path)} cannot be read: {reason}.", hint) from None
    if len(data) > MAX_BYTES:
        raise UsageFault(
            f"{shown(path)} is larger than {MAX_BYTES >> 20} MiB: that is no kernel.", hint
        )
    try:
        text = data.decode("utf-8-sig")
    except UnicodeDecodeError as error:
        line = data.count(b"\n", 0, error.start) + 1
        raise UsageFault(
            f"{shown(path)} is not UTF-8 (line {line}). Save it as UTF-8 in your editor.",
            hint,
        ) from None
    return text.replace("\r\n", "\n")


def put_new(path: Path, text: str) -> bool:
    """Write a file that is not there yet, and its folder; return whether it was not there.

    Whatever is there stays. Raises MissingFault where nothing can be written.
    """
    with _writing(path):
        path.parent.mkdir(parents=True, exist_ok=True)
        try:
            handle = path.open("x", encoding="utf-8")
        except FileExistsError:
            return False
        try:
            with handle:
                handle.write(text)
                handle.flush()
                os.fsync(handle.fileno())
        except BaseException:
            path.unlink(missing_ok=True)  # ours, and only half of it
            raise
    return True


def move_to(path: Path, folder: Path, name: str) -> Path:
    """Move a file into `folder` under a free name like `name`; return where it is now."""
    with _writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        stem, suffix = Path(name).stem, Path(name).suffix
        free = folder / name
        number = 1
        while free.exists() or free.is_symlink():
            number += 1
            free = folder / f"{stem}-{number}{suffix}"
        path.rename(free)
    return free


@contextlib.contextmanager
def _writing(path: Path) -> Iterator[None]:
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise MissingFault(f"{shown(path)} cannot be written: {reason}.", ELSEWHERE) from None
