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
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, TypeVar

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


# As they are when this module is imported. A learner's file that is imported later may put others
# in their place, and must not time itself.
_now = time.perf_counter
_Event = torch.cuda.Event
_record, _elapsed = torch.cuda.Event.record, torch.cuda.Event.elapsed_time
_wait, _wait_for_stream = torch.cuda.synchronize, torch.cuda.Stream.synchronize
_current_stream = torch.cuda.current_stream
_zero = torch.Tensor.zero_


def _write_over(flush: torch.Tensor) -> None:
    # Under a mode, such as a file's own default device, torch would look the method up anew.
    with torch._C.DisableTorchFunction():
        _zero(flush)


class GpuClock:
    """Events of the stream that is current when the clock is made, and the host's own clock."""

    device = "cuda"

    def __init__(self) -> None:
        self._stream = _current_stream()

    def event(self) -> Any:
        """Return an event that exists: the driver makes one when it is first recorded."""
        event = _Event(enable_timing=True)  # type: ignore[no-untyped-call]
        _record(event, self._stream)
        return event

    def record(self, event: Any) -> None:
        """Record the event behind all that the stream was given so far."""
        _record(event, self._stream)

    def between_us(self, start: Any, end: Any) -> float:
        """Return the microseconds between two events that have happened."""
        return float(_elapsed(start, end)) * 1e3

    def wait(self) -> None:
        """Wait for every stream of the device."""
        _wait()

    def wait_for_stream(self) -> None:
        """Wait for this clock's stream alone."""
        _wait_for_stream(self._stream)

    def on_its_stream(self) -> bool:
        """Tell whether work that is launched now goes to this clock's stream."""
        return bool(_current_stream() == self._stream)

    def now(self) -> float:
        """Return the host's time in seconds."""
        return _now()


def _nothing() -> None:
    """Stand for a step that a turn does not have."""


@dataclass(frozen=True)
class Turn:
    """What is timed, and what surrounds it without being timed."""

    run: Callable[[], object]
    before: Callable[[], object] = _nothing
    """Done ahead of the flush."""
    after: Callable[[], object] = _nothing
    """Done behind the last event."""


def time_on_gpu(runs: Mapping[str, Callable[[], object]], l2_bytes: int) -> dict[str, Timing]:
    """Time every entry of `runs` by turns with device events; seconds in all, not minutes."""
    return time_turns({name: Turn(run) for name, run in runs.items()}, l2_bytes, GpuClock())


def time_turns(
    turns: Mapping[str, Turn],
    l2_bytes: int,
    clock: GpuClock,
    *,
    warm_up_s: float = WARM_UP_S,
    budget_s: float = 2.0,
) -> dict[str, Timing]:
    """Time every entry of `turns` with events of `clock`.

    Each is run for `warm_up_s` first; the timed rounds take about `budget_s`, but are 20 or more.
    """
    flush = torch.empty(FLUSH_FACTOR * l2_bytes, dtype=torch.int8, device=clock.device)
    for turn in turns.values():
        _repeat_for(warm_up_s, turn.run, clock.wait, clock.now)
    round_s = 0.0
    for _ in range(2):  # the first round may load the kernels of what surrounds the runs
        clock.wait()
        began = clock.now()
        for turn in turns.values():
            turn.before()
            _write_over(flush)
            turn.run()
            turn.after()
        clock.wait()
        round_s = clock.now() - began
    repeats = _repeats(round_s, budget_s=budget_s)
    order = [(name, turn, clock.event(), clock.event()) for name, turn in _turns(turns, repeats)]
    clock.wait()
    with _no_collection():
        for _, turn, start, end in order:
            turn.before()
            _write_over(flush)
            clock.record(start)
            turn.run()
            clock.record(end)
            turn.after()
    clock.wait()
    samples: dict[str, list[float]] = {name: [] for name in turns}
    for name, _, start, end in order:
        samples[name].append(clock.between_us(start, end))
    return {name: summarise(taken) for name, taken in samples.items()}


def time_on_cpu(runs: Mapping[str, Callable[[], object]]) -> dict[str, Timing]:
    """Time every entry of `runs` by turns with the wall clock."""
    flush = torch.empty(min(FLUSH_FACTOR * cpu_cache_bytes(), LARGEST_FLUSH), dtype=torch.int8)
    for run in runs.values():
        _repeat_for(WARM_UP_S, run, _nothing, _now)
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


@contextlib.contextmanager
def _no_collection() -> Iterator[None]:
    """Keep Python's garbage collector out of the timed region."""
    gc.collect()
    gc.disable()
    try:
        yield
    finally:
        gc.enable()


def _repeat_for(
    seconds: float,
    run: Callable[[], object],
    wait: Callable[[], object],
    now: Callable[[], float],
) -> None:
    end = now() + seconds
    while now() < end:
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
