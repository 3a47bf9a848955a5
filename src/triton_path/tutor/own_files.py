"""Files that belong to the learner: read with care, never overwritten."""

from __future__ import annotations

import contextlib
import os
import shlex
from pathlib import Path
from typing import TYPE_CHECKING, Literal

from triton_path.errors import MissingFault, UsageFault
from triton_path.terminal.safe_text import harmless

if TYPE_CHECKING:
    from collections.abc import Iterator

    from triton_path.course.exercises import Exercise

MAX_BYTES = 1 << 20
"""Largest file taken for a kernel."""
ELSEWHERE = "triton-path practice start --dir FOLDER"


def kind_of(path: Path) -> Literal["file", "folder", "nothing", "other"]:
    """Return what is at `path`; what cannot even be asked for is nothing.

    A link that leads nowhere is `other`: a file can neither be read nor be made there.
    """
    try:
        if path.is_file():
            return "file"
        if path.is_dir():
            return "folder"
        return "other" if path.exists() or path.is_symlink() else "nothing"
    except (OSError, ValueError):  # a name that is too long, a folder that may not be entered
        return "nothing"


def absolute(text: str) -> Path:
    """Return the path that was typed, absolute and without `..`.

    Raises UsageFault or MissingFault where it means none, or one that no message can name.
    """
    try:
        path = Path(os.path.abspath(Path(text).expanduser()))  # noqa: PTH100 -- resolve follows links
    except RuntimeError:
        raise UsageFault(f"There is no user {text.split('/')[0][1:]}.", ELSEWHERE) from None
    except FileNotFoundError:
        raise folder_gone() from None
    require_text(path)
    return path


def folder_gone() -> MissingFault:
    """Return the fault for a relative path in a folder that is not there any more."""
    return MissingFault("The folder that you are in was deleted.", "cd")


def require_text(path: Path) -> None:
    """Raise UsageFault for a name that is no UTF-8: no worker could be told of it."""
    try:
        str(path).encode()
    except UnicodeEncodeError:
        raise UsageFault(
            f"{shown(path)} has a name that is not UTF-8. Rename it, or take another folder.",
            ELSEWHERE,
        ) from None


def unreadable(path: Path) -> UsageFault:
    """Return the fault for what is there and is no file."""
    return UsageFault(f"{shown(path)} is no file that can be read.", f"ls -ld {typed(path)}")


def is_starter(exercise: Exercise, path: Path) -> bool:
    """Whether the file is the exercise's starter, as it was given."""
    try:
        return path.read_text(encoding="utf-8") == exercise.starter.text
    except (OSError, ValueError):
        return False


def shown(path: Path) -> str:
    """Return a path as a person would type it here."""
    with contextlib.suppress(ValueError, OSError):
        return harmless(str(path.relative_to(Path.cwd())))
    with contextlib.suppress(ValueError, RuntimeError):
        return harmless(str(Path("~") / path.relative_to(Path.home())))
    return harmless(str(path))


def typed(path: Path) -> str:
    """Return a path as `shown`, quoted for a shell where that is needed."""
    text = shown(path)
    if text.startswith("~/"):  # in quotes it would not be the home folder
        return f"~/{shlex.quote(text[2:])}"
    return shlex.quote(text)


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
    with writing(path):
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
    with writing(folder):
        folder.mkdir(parents=True, exist_ok=True)
        free = _reserve(folder, name)
        try:
            path.replace(free)
        except OSError:  # not an interrupt: it may come once the file is there
            free.unlink()
            raise
    return free


def _reserve(folder: Path, name: str) -> Path:
    """Make an empty file under a free name like `name`: another process then takes another one."""
    stem, suffix = Path(name).stem, Path(name).suffix
    free, number = folder / name, 1
    while True:
        try:
            free.touch(exist_ok=False)
        except FileExistsError:
            number += 1
            free = folder / f"{stem}-{number}{suffix}"
        else:
            return free


@contextlib.contextmanager
def writing(path: Path, hint: str = ELSEWHERE) -> Iterator[None]:
    """Raise MissingFault with `hint` where `path` cannot be written."""
    try:
        yield
    except (OSError, ValueError) as error:
        reason = getattr(error, "strerror", None) or str(error)
        raise MissingFault(f"{shown(path)} cannot be written: {reason}.", hint) from None
