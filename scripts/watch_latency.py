"""Measures how long `practice watch` takes from a save to the verdict on the screen.

    .venv/bin/python scripts/watch_latency.py [--saves 20] [--limit 0.5]

It watches vector-add in a terminal of its own and saves a right and a wrong kernel by turns: by
writing the file anew, and by renaming another one over it. The first verdict, for which the workers
import torch, is not counted. With --limit the exit code is 1 where the median is longer.
"""

from __future__ import annotations

import argparse
import contextlib
import fcntl
import os
import pty
import select
import statistics
import struct
import subprocess
import sys
import tempfile
import termios
import time
from pathlib import Path

EXERCISE = Path(__file__).parents[1] / "content" / "exercises" / "vector-add"
KERNELS = (
    (EXERCISE / "solution.py", "passed"),
    (EXERCISE / "wrong" / "no_mask.py", "Load out of bounds"),
)
"""What is saved, and words of its verdict that the other one's lacks."""
PATIENCE_SECONDS = 120.0
PROGRAM = (sys.executable, "-m", "triton_path", "practice")


class Watch:
    """`practice watch` in a pseudo-terminal of 80 by 24."""

    def __init__(self, home: Path, file: Path) -> None:
        self._ours, theirs = pty.openpty()
        fcntl.ioctl(theirs, termios.TIOCSWINSZ, struct.pack("HHHH", 24, 80, 0, 0))
        environment = {**os.environ, "TRITON_PATH_HOME": str(home), "TERM": "xterm-256color"}
        self._process = subprocess.Popen(
            [*PROGRAM, "watch", str(file)],
            stdin=theirs,
            stdout=theirs,
            stderr=theirs,
            env=environment,
            start_new_session=True,
        )
        os.close(theirs)

    def see(self, words: str) -> None:
        """Wait until `words` are painted; what was painted before counts no more."""
        painted, deadline = b"", time.monotonic() + PATIENCE_SECONDS
        while words.encode() not in painted:
            if time.monotonic() > deadline or self._process.poll() is not None:
                raise SystemExit(f"never saw '{words}':\n{painted.decode(errors='replace')}")
            if select.select([self._ours], [], [], 1.0)[0]:
                painted += os.read(self._ours, 1 << 16)

    def close(self) -> None:
        """Leave it with its key."""
        with contextlib.suppress(OSError):
            os.write(self._ours, b"q")
        try:
            self._process.wait(10)
        except subprocess.TimeoutExpired:
            self._process.kill()
        os.close(self._ours)


def save(file: Path, text: str, *, rename: bool) -> None:
    """Save as editors do."""
    if rename:
        partial = file.with_name(f".{file.name}.swp")
        partial.write_text(text)
        partial.replace(file)
    else:
        file.write_text(text)


def measure(saves: int) -> list[float]:
    """Return seconds from each save to its verdict."""
    texts = [(path.read_text(), words) for path, words in KERNELS]
    seconds = []
    with tempfile.TemporaryDirectory() as folder:
        file = Path(folder) / "vector_add.py"
        file.write_text(texts[1][0])
        watch = Watch(Path(folder) / "home", file)
        try:
            watch.see(texts[1][1])
            for number in range(saves):
                text, words = texts[number % 2]
                time.sleep(0.3)  # so that one save is not the news of the one before
                start = time.perf_counter()
                save(file, text, rename=number % 4 >= 2)
                watch.see(words)
                seconds.append(time.perf_counter() - start)
        finally:
            watch.close()
    return seconds


def main() -> None:
    """Measure and print."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--saves", type=int, default=20)
    parser.add_argument("--limit", type=float, help="Seconds that the median may take.")
    options = parser.parse_args()
    seconds = sorted(measure(options.saves))
    median = statistics.median(seconds)
    low, high = seconds[len(seconds) // 5], seconds[len(seconds) * 4 // 5]
    print(
        f"practice watch, vector-add, from a save to its verdict: measured, median {median:.2f} s "
        f"({low:.2f} .. {high:.2f}, p20 .. p80, n = {len(seconds)}, {os.cpu_count()} cores)"
    )
    if options.limit is not None and median > options.limit:
        raise SystemExit(1)


if __name__ == "__main__":
    main()
