"""Notices that a file was saved, within some tens of milliseconds and however an editor does it.

Editors save by writing the file anew, by renaming another one over it, or by deleting it first; for
a moment it is empty or gone. So news is told once the file has been as it is for a while.
"""

from __future__ import annotations

import contextlib
import os
import select
import stat
import threading
import time
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

Kind = Literal["ready", "empty", "missing", "no file", "unreadable"]

QUIET_SECONDS = 0.02
"""A file that has been unchanged for so long is taken to be written to its end."""
GONE_SECONDS = 0.4
"""A file that is empty or gone for so long will not come back at once: that is news too."""
LOOK_SECONDS = 0.005
"""Between two looks at a file that is just being saved."""
GROUP_MS, STEP_MS = 50, 10
"""watchfiles: longest time to group events over, and between two looks for further ones."""
GUARD_MS = 200
"""The file is looked at as often as this even without an event: network mounts send none."""
POLL_SECONDS = 0.05
"""The same where events are known not to come."""

PATIENT_SECONDS = 1.0
"""A check that has run for longer is ended once the file was saved again."""


@dataclass(frozen=True)
class FileState:
    """A file as it was at one moment; two states are equal if nothing was saved between them."""

    kind: Kind
    stamp: tuple[int, ...] = ()
    """What a save changes."""
    reason: str = ""
    """Why it cannot be read, in the system's words."""


def look(path: Path) -> FileState:
    """Return the state of the file now."""
    try:
        found = path.stat()
    except (FileNotFoundError, NotADirectoryError):
        return FileState("missing")
    except OSError as error:
        return FileState("unreadable", reason=error.strerror or str(error))
    if not stat.S_ISREG(found.st_mode):
        return FileState("no file", reason="a folder" if stat.S_ISDIR(found.st_mode) else "no file")
    stamp = (found.st_mtime_ns, found.st_ctime_ns, found.st_size, found.st_ino)
    if not os.access(path, os.R_OK):
        return FileState("unreadable", stamp, "permission denied")
    return FileState("ready" if found.st_size else "empty", stamp)


def settled(
    see: Callable[[], FileState], *, clock: Callable[[], float], sleep: Callable[[float], object]
) -> FileState:
    """Return the state that the file comes to rest in, or the newest once `sleep` says true."""
    state, since = see(), clock()
    while True:
        enough = QUIET_SECONDS if state.kind == "ready" else GONE_SECONDS
        if clock() - since >= enough:
            return state
        if sleep(LOOK_SECONDS):
            return state
        now = see()
        if now != state:
            state, since = now, clock()


class Saves:
    """Watches one file from a thread of its own; a context manager.

    `fd` is readable while there is news, so that a screen can wait for it and for keys together.
    """

    def __init__(self, path: Path) -> None:
        self.path = path
        self._state = look(path)
        self._news = False
        self._lock = threading.Lock()
        self._stop = threading.Event()
        self._thread = threading.Thread(target=self._run, name="saves", daemon=True)
        self.fd, self._write_fd = os.pipe()
        os.set_blocking(self._write_fd, False)

    def __enter__(self) -> Saves:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop.set()
        self._thread.join()
        os.close(self.fd)
        os.close(self._write_fd)

    @property
    def state(self) -> FileState:
        """The state that was told last; at first, the one that the file had at the beginning."""
        with self._lock:
            return self._state

    @property
    def pending(self) -> bool:
        """Whether there is news."""
        with self._lock:
            return self._news

    def take(self) -> FileState | None:
        """Return the newest state if it was not taken yet; `fd` is then no longer readable."""
        with self._lock:
            if not self._news:
                return None
            self._news = False
            os.read(self.fd, 1)
            return self._state

    def wait(self) -> FileState:
        """Wait for news and return it."""
        while True:
            select.select([self.fd], [], [])
            state = self.take()
            if state is not None:
                return state

    def _run(self) -> None:
        for _ in self._moments():
            if look(self.path) == self._state:
                continue
            state = settled(lambda: look(self.path), clock=time.monotonic, sleep=self._stop.wait)
            if state != self._state and not self._stop.is_set():
                self._tell(state)

    def _tell(self, state: FileState) -> None:
        with self._lock:
            self._state = state
            if not self._news:
                self._news = True
                os.write(self._write_fd, b"n")

    def _moments(self) -> Iterator[None]:
        """Give the moments to look at the file: at events of its folder, and now and then."""
        if not polling_forced():
            # No inotify left, no such folder, no watchfiles: polling does as well.
            with contextlib.suppress(ImportError, OSError, RuntimeError):
                yield from self._events()
        while not self._stop.wait(POLL_SECONDS):
            yield

    def _events(self) -> Iterator[None]:
        """Give a moment at each event; return where a save came without one."""
        # Deferred: 50 ms, with anyio and asyncio.
        from watchfiles import watch

        for changes in watch(
            _folder(self.path),
            watch_filter=None,
            debounce=GROUP_MS,
            step=STEP_MS,
            rust_timeout=GUARD_MS,
            yield_on_timeout=True,
            stop_event=self._stop,
            raise_interrupt=False,
            force_polling=False,
            recursive=False,
        ):
            if not changes and look(self.path) != self._state:
                return
            yield


def _folder(path: Path) -> Path:
    """Return what is watched: a file that is replaced is another one, its folder stays."""
    return path.parent


def polling_forced() -> bool:
    """Whether the person set watchfiles' own variable: their mounts send no events."""
    value = os.environ.get("WATCHFILES_FORCE_POLLING", "")
    return bool(value) and value.lower() not in ("false", "disable", "disabled")
