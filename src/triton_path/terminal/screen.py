"""A full screen held in one terminal mode from its first key to its last.

Between two single-key prompts a terminal in its normal mode would echo and line-buffer what is
typed, and fast keys would be lost: so the mode is set once and every key waits in one queue.
"""

from __future__ import annotations

import contextlib
import os
import select
import shutil
import signal
import sys
import termios
import time
from collections import deque
from typing import TYPE_CHECKING

from triton_path.terminal.keys import KeyDecoder

if TYPE_CHECKING:
    from collections.abc import Iterator, Sequence
    from types import FrameType
    from typing import Any

    from triton_path.terminal.keys import Key

ESCAPE_PAUSE_SECONDS = 0.05
"""How long a lone escape character waits to be the Escape key: long enough for ssh."""

ENTER_SCREEN = "\x1b[?1049h\x1b[?25l\x1b[?7l\x1b[?2004h\x1b[H\x1b[2J"
LEAVE_SCREEN = "\x1b[?2004l\x1b[?7h\x1b[?25h\x1b[?1049l"
ENDING_SIGNALS = (signal.SIGTERM, signal.SIGHUP)


class Screen:
    """The terminal as one page and one queue of keys; a context manager.

    On leaving, in whatever way, the terminal's mode, cursor and contents are as before.
    """

    def __init__(self) -> None:
        self._input = sys.stdin.fileno()
        self._decoder = KeyDecoder()
        self._keys: deque[Key] = deque()
        self._saved_mode: list[Any] | None = None
        self._saved_handlers: dict[signal.Signals, Any] = {}
        self._resized_read = self._resized_write = -1

    def __enter__(self) -> Screen:
        self._resized_read, self._resized_write = os.pipe()
        os.set_blocking(self._resized_write, False)
        self._saved_mode = termios.tcgetattr(self._input)
        self._saved_handlers = {
            signal.SIGWINCH: signal.signal(signal.SIGWINCH, self._on_resize),
            **{number: signal.signal(number, _on_ending) for number in ENDING_SIGNALS},
        }
        self._take_terminal()
        return self

    def __exit__(self, *_: object) -> None:
        self._give_terminal_back()
        for number, handler in self._saved_handlers.items():
            signal.signal(number, handler)
        os.close(self._resized_read)
        os.close(self._resized_write)

    @property
    def size(self) -> tuple[int, int]:
        """Columns and rows of the window now."""
        with contextlib.suppress(OSError):
            columns, rows = os.get_terminal_size(sys.stdout.fileno())
            if columns and rows:
                return columns, rows
        columns, rows = shutil.get_terminal_size()
        return columns, rows

    def paint(self, lines: Sequence[str], cursor: tuple[int, int] | None = None) -> None:
        """Show `lines` (with their styles as control sequences), one to a row, from the top.

        `cursor` is the column and row, from 0, of a visible text cursor; None hides it.
        """
        columns, rows = self.size
        parts = ["\x1b[?25l\x1b[H"]
        parts += [f"\x1b[{row};1H\x1b[2K{line}" for row, line in enumerate(lines[:rows], start=1)]
        if len(lines) < rows:
            parts.append(f"\x1b[{len(lines) + 1};1H\x1b[J")
        if cursor is not None:
            column, row = min(cursor[0], columns - 1), min(cursor[1], rows - 1)
            parts.append(f"\x1b[{row + 1};{column + 1}H\x1b[?25h")
        sys.stdout.write("".join(parts))
        sys.stdout.flush()

    def read_key(self) -> Key:
        """Wait for the next key. Raises KeyboardInterrupt on Ctrl-C."""
        while True:
            key, _ = self.wait((), None)
            if key == "ctrl-c":
                raise KeyboardInterrupt
            if key is not None:
                return key

    def wait(self, others: Sequence[int], seconds: float | None) -> tuple[Key | None, bool]:
        """Wait for a key or for one of the descriptors `others` to become readable.

        Returns the key, if one came, and whether another descriptor is ready. Ctrl-C comes as
        the key `ctrl-c`; Ctrl-Z suspends the program here and comes back as `resize`. After
        `seconds` both are empty; None waits for ever.
        """
        deadline = None if seconds is None else time.monotonic() + seconds
        while not self._keys:
            left = None if deadline is None else max(0.0, deadline - time.monotonic())
            if self._decoder.pending:
                left = ESCAPE_PAUSE_SECONDS if left is None else min(left, ESCAPE_PAUSE_SECONDS)
            ready, _, _ = select.select([self._input, self._resized_read, *others], [], [], left)
            if self._resized_read in ready:
                os.read(self._resized_read, 4096)
                self._keys.append("resize")
            if self._input in ready:
                self._read_input()
            elif self._decoder.pending:
                self._keys.extend(self._decoder.flush())
            if any(fd in ready for fd in others):
                return (self._next_key() if self._keys else None), True
            if not self._keys and deadline is not None and time.monotonic() >= deadline:
                return None, False
        return self._next_key(), False

    @property
    def has_keys(self) -> bool:
        """Whether keys wait: what they lead to will be painted, not what is before them."""
        return bool(self._keys)

    def put_back(self, keys: Sequence[Key]) -> None:
        """Let `keys` be read again, before those that wait."""
        self._keys.extendleft(reversed(keys))

    def _next_key(self) -> Key:
        key = self._keys.popleft()
        if key == "ctrl-z":
            self._suspend()
            return "resize"
        return key

    @contextlib.contextmanager
    def released(self) -> Iterator[None]:
        """Give the terminal to another program, such as an editor, for a while."""
        self._give_terminal_back()
        try:
            yield
        finally:
            self._take_terminal()

    def _read_input(self) -> None:
        data = os.read(self._input, 65536)
        if not data:
            # The terminal is gone; there is nobody left to ask.
            raise SystemExit(128 + signal.SIGHUP)
        self._keys.extend(self._decoder.feed(data))

    def _take_terminal(self) -> None:
        mode = termios.tcgetattr(self._input)
        # No echo, no line buffering, and Ctrl-C and Ctrl-Z as keys: an exception in the middle
        # of writing progress would be a worse way to learn of them.
        mode[0] &= ~(termios.ICRNL | termios.IXON)
        mode[3] &= ~(termios.ECHO | termios.ICANON | termios.ISIG | termios.IEXTEN)
        mode[6][termios.VMIN], mode[6][termios.VTIME] = 1, 0
        # TCSADRAIN: what was typed before is kept.
        termios.tcsetattr(self._input, termios.TCSADRAIN, mode)
        sys.stdout.write(ENTER_SCREEN)
        sys.stdout.flush()

    def _give_terminal_back(self) -> None:
        with contextlib.suppress(OSError):
            sys.stdout.write(LEAVE_SCREEN)
            sys.stdout.flush()
        if self._saved_mode is not None:
            with contextlib.suppress(termios.error):
                termios.tcsetattr(self._input, termios.TCSADRAIN, self._saved_mode)

    def _suspend(self) -> None:
        with self.released():
            os.kill(0, signal.SIGTSTP)  # the whole group: a wrapper such as `uv run` stops too

    def _on_resize(self, _signal: int, _frame: FrameType | None) -> None:
        with contextlib.suppress(BlockingIOError):
            os.write(self._resized_write, b"r")


def _on_ending(number: int, _frame: FrameType | None) -> None:
    raise SystemExit(128 + number)
