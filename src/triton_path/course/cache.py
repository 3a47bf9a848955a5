"""What was read and validated before, kept until a file changes.

Reading a lesson imports pydantic, PyYAML and markdown-it-py, which takes three times as long as
starting Python with Rich. A cached lesson needs none of them.
"""

from __future__ import annotations

import contextlib
import os
import pickle
import sys
import zlib
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

from triton_path import __version__
from triton_path.paths import cache_dir

if TYPE_CHECKING:
    from collections.abc import Callable, Sequence

T = TypeVar("T")


def cached(kind: type[T], name: str, files: Sequence[Path], read: Callable[[], T]) -> T:
    """Return what `read` made of `files`, from the cache if none of them changed since.

    `name` tells one thing of a kind from another beside the first of `files`.

    The cache is a help, never a need: where it cannot be read or written, `read` is called.
    """
    where = f"{files[0].parent}\0{name}".encode(errors="surrogateescape")
    place = cache_dir() / f"{kind.__name__.lower()}-{zlib.crc32(where):08x}.pickle"
    state = _state(files)
    # A cache that is broken in whatever way is no cache.
    with contextlib.suppress(Exception), place.open("rb") as handle:
        # Not a course's file: it lies in the user's own cache folder, and only `_keep` writes it.
        kept_state, value = pickle.load(handle)  # noqa: S301
        if kept_state == state and isinstance(value, kind):
            return value
    value = read()
    if state == _state(files):
        _keep(place, (state, value))
    return value


def _state(files: Sequence[Path]) -> list[object]:
    """Return what differs if a file, this program or Python changes."""
    state: list[object] = [__version__, sys.version]
    # In a checkout the models change without the version: their own files count too.
    for path in (*files, *Path(__file__).parent.glob("*.py")):
        with contextlib.suppress(OSError):
            stat = path.stat()
            state.append((str(path), stat.st_size, stat.st_mtime_ns, stat.st_ino))
    return state


def _keep(place: Path, value: object) -> None:
    partial = place.with_name(f"{place.name}.{os.getpid()}")
    with contextlib.suppress(OSError):
        place.parent.mkdir(parents=True, exist_ok=True)
        with partial.open("wb") as handle:
            pickle.dump(value, handle, protocol=pickle.HIGHEST_PROTOCOL)
        partial.replace(place)
