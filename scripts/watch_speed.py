"""Times the memory watch against Triton's own interpreter.

Run it with `.venv/bin/python scripts/watch_speed.py`.

Each round runs stock, default checks and every check one after another, so that a slow moment of
the machine meets all three; the table shows medians and their ratio to stock.
"""

from __future__ import annotations

import argparse
import os
import statistics
import sys
import time
from pathlib import Path
from typing import TYPE_CHECKING

os.environ["TRITON_INTERPRET"] = "1"
sys.path.insert(0, str(Path(__file__).parent.parent / "tests" / "worker" / "watch"))

import torch
from speed_kernels import CASES

from triton_path.worker.watch import WatchOptions, watch

if TYPE_CHECKING:
    from collections.abc import Callable

DEFAULT = WatchOptions()
EVERYTHING = WatchOptions.everything()


def _stock(run: Callable[[], None]) -> float:
    start = time.perf_counter()
    run()
    return time.perf_counter() - start


def _watched(run: Callable[[], None], options: WatchOptions) -> float:
    start = time.perf_counter()
    with watch(options) as watched:
        run()
    seconds = time.perf_counter() - start
    report = watched.report
    if not report.watched or report.faults:
        raise SystemExit(f"not a fair race: {report.unwatched_reason} {report.faults}")
    return seconds


def compare(run: Callable[[], None], rounds: int) -> tuple[float, float, float]:
    """Return the medians of stock, default checks and every check, in seconds."""
    times: list[tuple[float, float, float]] = []
    for number in range(rounds + 1):
        once = _stock(run), _watched(run, DEFAULT), _watched(run, EVERYTHING)
        if number:  # the first round imports and fills caches
            times.append(once)
    stock, default, everything = zip(*times, strict=True)
    return statistics.median(stock), statistics.median(default), statistics.median(everything)


def main() -> None:
    """Print the table."""
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--rounds", type=int, default=20)
    rounds = parser.parse_args().rounds
    torch.manual_seed(0)
    write = sys.stdout.write
    write(f"{'kernel':28}{'stock':>10}{'default':>10}{'ratio':>7}{'every':>10}{'ratio':>7}\n")
    for name, run in CASES.items():
        stock, default, everything = compare(run, rounds)
        write(
            f"{name:28}{stock * 1e3:8.1f}ms{default * 1e3:8.1f}ms{default / stock:7.2f}"
            f"{everything * 1e3:8.1f}ms{everything / stock:7.2f}\n"
        )


if __name__ == "__main__":
    main()
