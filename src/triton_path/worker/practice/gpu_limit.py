"""What the timed case cannot beat: its bytes, its arithmetic, and the times that these take."""

from __future__ import annotations

from dataclasses import dataclass
from math import prod
from typing import TYPE_CHECKING

from triton_path.jobs.grading import evaluate
from triton_path.worker.bench.verdicts import TOLERANCE, least_us
from triton_path.worker.practice.data import dtype_of

if TYPE_CHECKING:
    from triton_path.jobs.bench import Timing
    from triton_path.jobs.grading import Grading
    from triton_path.worker.practice.cases import PlannedCase

MATRIX_TOLERANCE = 0.45
"""Of the matrix rate: on some GPUs accumulating in 16 bits, which torch does not do, is twice as
fast, so only less than half of the time is impossible."""


@dataclass(frozen=True)
class Work:
    """What the timed case must do at least."""

    read: int
    """Bytes, each tensor counted once."""
    written: int
    flops: int | None
    """Multiply-adds times two, where the matrix rate may be the limit."""


@dataclass(frozen=True)
class Limit:
    """The least time, as measured in the same run."""

    time: Timing
    words: str
    floor_us: float
    """A shorter time is not believed."""

    def share(self, time_us: float) -> float:
        """Return how much of the limit a time reaches: 1.0 is the limit."""
        return self.time.value / time_us


def work_of(grading: Grading, planned: PlannedCase) -> Work:
    """Count the bytes and flops of the timed case: size times bytes of an element."""
    timing = grading.timing
    assert timing is not None
    size = {
        spec.name: prod(evaluate(part, planned.sizes) for part in spec.shape)
        * dtype_of(spec, planned).itemsize
        for spec in grading.tensors
    }
    inputs = tuple(spec.name for spec in grading.tensors if spec.role != "output")
    outputs = tuple(spec.name for spec in grading.outputs)
    reads = inputs if timing.reads is None else timing.reads
    writes = outputs if timing.writes is None else timing.writes
    flops = None if timing.flops is None else evaluate(timing.flops, planned.sizes)
    return Work(sum(size[name] for name in reads), sum(size[name] for name in writes), flops)


def stream_limit(work: Work, stream: Timing, l2_bytes: int) -> Limit:
    """Return the limit that the memory sets; `stream` moved the same bytes."""
    bandwidth = (work.read + work.written) / stream.value / 1e3
    return Limit(
        stream,
        f"a stream that {_moves(work)} ({bandwidth:.0f} GB/s)",
        TOLERANCE * least_us(work.read, work.written, l2_bytes, bandwidth),
    )


def matrix_limit(work: Work, square: int, matrix: Timing, number_type: str) -> Limit:
    """Return the limit that the arithmetic sets; `matrix` multiplied two squares of that side."""
    assert work.flops is not None
    scale = work.flops / (2 * square**3)
    time = matrix.model_copy(
        update={name: scale * getattr(matrix, name) for name in ("value", "p20", "p80")}
    )
    rate = work.flops / time.value / 1e6
    return Limit(
        time,
        f"the rate of torch.matmul for {square} x {square} in {number_type} ({rate:.0f} TFLOP/s)",
        MATRIX_TOLERANCE * time.value,
    )


def slower(first: Limit, second: Limit | None) -> Limit:
    """Return the limit that binds; a time must not be below the floor of either."""
    if second is None:
        return first
    binding = max(first, second, key=lambda limit: limit.time.value)
    return Limit(binding.time, binding.words, max(first.floor_us, second.floor_us))


def _moves(work: Work) -> str:
    parts = [("reads", work.read), ("writes", work.written)]
    return " and ".join(f"{verb} {amount(count)}" for verb, count in parts if count)


def amount(count: int) -> str:
    """Say a number of bytes in decimal units."""
    for unit, size in (("GB", 10**9), ("MB", 10**6), ("kB", 10**3)):
        if count >= size:
            return f"{count / size:.3g} {unit}"
    return f"{count} bytes"
