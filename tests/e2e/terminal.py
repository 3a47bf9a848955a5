"""A real terminal for tests: a pseudo-terminal with pexpect, its screen kept by pyte."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from typing import TYPE_CHECKING

import pexpect
import pyte

if TYPE_CHECKING:
    from collections.abc import Callable, Mapping
    from pathlib import Path

KEYS = {
    "enter": "\r",
    "escape": "\x1b",
    "up": "\x1b[A",
    "down": "\x1b[B",
    "right": "\x1b[C",
    "left": "\x1b[D",
    "tab": "\t",
    "backspace": "\x7f",
    "ctrl-c": "\x03",
    "ctrl-z": "\x1a",
}
PATIENCE_SECONDS = 20.0


class Terminal:
    """A program in a terminal of its own; `see` waits until the screen shows something."""

    def __init__(
        self, *arguments: str, home: Path, columns: int = 80, rows: int = 24, **extra: str
    ) -> None:
        environment: Mapping[str, str] = {
            **{k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "COLUMNS", "LINES")},
            "TRITON_PATH_HOME": str(home),
            "TERM": "xterm-256color",
            "EDITOR": "true",
            **extra,
        }
        self.screen = pyte.Screen(columns, rows)
        self.history = b""
        self._stream = pyte.ByteStream(self.screen)
        self.child = pexpect.spawn(
            sys.executable,
            ["-m", "triton_path", *arguments],
            env=environment,
            dimensions=(rows, columns),
            timeout=PATIENCE_SECONDS,
        )
        self.child.delaybeforesend = None

    @property
    def text(self) -> str:
        """The screen now."""
        return "\n".join(self.screen.display)

    def press(self, *keys: str) -> None:
        """Send keys, named or as they are, in one write: as fast as a paste."""
        self.child.send("".join(KEYS.get(key, key) for key in keys))

    def see(self, *words: str) -> str:
        """Wait until all `words` stand on the screen; return it."""
        return self.wait(lambda: all(word in self.text for word in words), f"{words}")

    def changes(self, before: str) -> None:
        """Wait until the screen differs from `before`."""
        self.wait(lambda: self.text != before, "another page")

    def wait(self, condition: Callable[[], bool], what: str) -> str:
        """Read output until `condition` holds."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while not condition():
            assert time.monotonic() < deadline, f"never saw {what}; the screen:\n{self.text}"
            self.read()
        return self.text

    def read(self, seconds: float = 0.05) -> None:
        """Take what the program wrote."""
        try:
            data = self.child.read_nonblocking(1 << 16, timeout=seconds)
        except pexpect.TIMEOUT:
            return
        except pexpect.EOF:
            time.sleep(seconds)
            return
        self.history += data
        self._stream.feed(data)

    def end(self) -> int:
        """Wait until the program has ended; return its exit code, 128 + n for a signal."""
        deadline = time.monotonic() + PATIENCE_SECONDS
        while self.child.isalive():
            assert time.monotonic() < deadline, f"it did not end; the screen:\n{self.text}"
            self.read()
        self.read()
        code = self.child.exitstatus
        return 128 + self.child.signalstatus if code is None else code

    def kill(self) -> None:
        """Kill it as hard as can be."""
        self.child.kill(signal.SIGKILL)
        self.child.close(force=True)


def terminal_mode(terminal: Terminal) -> str:
    """Return `stty -g` of the terminal."""
    return subprocess.run(
        ["stty", "-g"], stdin=terminal.child.child_fd, capture_output=True, check=True, text=True
    ).stdout


def left_as_found(terminal: Terminal) -> bool:
    """Whether the cursor is shown and the alternate screen left, by the last word on each."""
    return _last(terminal.history, b"\x1b[?25h", b"\x1b[?25l") and _last(
        terminal.history, b"\x1b[?1049l", b"\x1b[?1049h"
    )


def _last(history: bytes, wanted: bytes, unwanted: bytes) -> bool:
    return history.rfind(wanted) > history.rfind(unwanted)
