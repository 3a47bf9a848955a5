"""Times providers by turns, each with a cold cache, and never one run alone.

Turns, because a clock that drifts must hit all alike. Before each run a flush writes four times the
last-level cache (three are needed). On a GPU nothing waits between the flush and the first event,
so that the flush hides the launch by the host.
"""

from __future__ import annotations

import contextlib
import gc
import random
import statistics
import time
from pathlib import Path
from typing import TYPE_CHECKING, TypeVar

import torch

from triton_path.jobs.bench import Figure, Timing

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Mapping

Named = TypeVar("Named")

WARM_UP_S = 0.2
"""Of each provider: after 25 ms the clocks of a GPU may still be rising."""
FEWEST, MOST = 20, 200
FLUSH_FACTOR = 4
DEFAULT_CACHE = 32 << 20
LARGEST_FLUSH = 256 << 20
"""On a CPU; a server that reports a cache of hundreds of MB shares it among many cores."""


def summarise(samples_us: list[float]) -> Timing:
    """Return median, p20 and p80 of at least 20 times in microseconds."""
    if len(samples_us) < FEWEST:
        raise ValueError(f"{len(samples_us)} samples are too few")
    cuts = statistics.quantiles(samples_us, n=10, method="inclusive")
    return Timing(
        value=statistics.median(samples_us),
        unit="us",
        kind="measured",
        p20=cuts[1],
        p80=cuts[7],
        n=len(samples_us),
    )


def time_on_gpu(runs: Mapping[str, Callable[[], object]], l2_bytes: int) -> dict[str, Timing]:
    """Time every entry of `runs` by turns with device events; seconds in all, not minutes."""
    flush = torch.empty(FLUSH_FACTOR * l2_bytes, dtype=torch.int8, device="cuda")
    for run in runs.values():
        _repeat_for(WARM_UP_S, run, torch.cuda.synchronize)
    torch.cuda.synchronize()
    before = time.perf_counter()
    for run in runs.values():
        flush.zero_()
        run()
    torch.cuda.synchronize()
    repeats = _repeats(time.perf_counter() - before, budget_s=2.0)
    turns = [(name, run, _event(), _event()) for name, run in _turns(runs, repeats)]
    torch.cuda.synchronize()
    with _no_collection():
        for _, run, start, end in turns:
            flush.zero_()
            start.record()
            run()
            end.record()
    torch.cuda.synchronize()
    samples: dict[str, list[float]] = {name: [] for name in runs}
    for name, _, start, end in turns:
        samples[name].append(start.elapsed_time(end) * 1e3)
    return {name: summarise(taken) for name, taken in samples.items()}


def time_on_cpu(runs: Mapping[str, Callable[[], object]]) -> dict[str, Timing]:
    """Time every entry of `runs` by turns with the wall clock."""
    flush = torch.empty(min(FLUSH_FACTOR * cpu_cache_bytes(), LARGEST_FLUSH), dtype=torch.int8)
    for run in runs.values():
        _repeat_for(WARM_UP_S, run, lambda: None)
    before = time.perf_counter()
    for run in runs.values():
        flush.fill_(1)
        run()
    repeats = _repeats(time.perf_counter() - before, budget_s=4.0)
    samples: dict[str, list[float]] = {name: [] for name in runs}
    with _no_collection():
        for turn, (name, run) in enumerate(_turns(runs, repeats)):
            flush.fill_(turn % 100)
            start = time.perf_counter_ns()
            run()
            samples[name].append((time.perf_counter_ns() - start) / 1e3)
    return {name: summarise(taken) for name, taken in samples.items()}


def time_host(run: Callable[[], object]) -> Figure:
    """Return the host's time of a short call, in microseconds, as a median."""
    samples = []
    for _ in range(300):
        start = time.perf_counter_ns()
        run()
        samples.append((time.perf_counter_ns() - start) / 1e3)
    return Figure(value=statistics.median(samples), unit="us", kind="measured")


def cpu_cache_bytes() -> int:
    """Return the size of the last-level cache as Linux tells it, or 32 MiB."""
    text = ""
    for index in (2, 3, 4):
        path = Path(f"/sys/devices/system/cpu/cpu0/cache/index{index}/size")
        text = path.read_text().strip() if path.is_file() else text
    units = {"K": 1 << 10, "M": 1 << 20, "G": 1 << 30}
    if text[:-1].isdigit() and text[-1] in units:
        return int(text[:-1]) * units[text[-1]]
    return DEFAULT_CACHE


def _event() -> torch.cuda.Event:
    """Return an event that exists: the driver makes one when it is first recorded."""
    event = torch.cuda.Event(enable_timing=True)  # type: ignore[no-untyped-call]
    event.record()
    return event


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python's garbage collector out of the timed region."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _repeat_for(seconds: float, run: Callable[[], object], wait: Callable[[], object]) -> None:
    end = time.perf_counter() + seconds
    while time.perf_counter() < end:
        run()
        wait()


def _repeats(round_s: float, *, budget_s: float) -> int:
    return max(FEWEST, min(MOST, int(budget_s / round_s)))


def _turns(runs: Mapping[str, Named], repeats: int) -> list[tuple[str, Named]]:
    """Return `repeats` rounds of all of `runs`, each round in an order of its own."""
    order = random.Random(0)  # noqa: S311 -- an order of turns is no secret
    rounds = []
    for _ in range(repeats):
        turn = list(runs.items())
        order.shuffle(turn)
        rounds += turn
    return rounds
