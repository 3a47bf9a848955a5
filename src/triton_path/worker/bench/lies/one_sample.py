"""Median, p20 and p80 of one sample are that sample: no spread, and any luck goes unseen."""

from __future__ import annotations

import statistics
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import Figure
from triton_path.worker.bench.lies.showing import Shown, compare, share
from triton_path.worker.bench.timing import summarise

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage

COUNT = 40
CPU_ELEMENTS, GPU_ELEMENTS = 1 << 18, 1 << 22


def one_sample(stage: Stage) -> Shown:
    """Take the quantiles of one run and of forty; then race a kernel against itself by luck."""
    n = GPU_ELEMENTS if stage.on_gpu else CPU_ELEMENTS
    x = torch.randn(n, device=stage.device)
    out = torch.empty_like(x)

    def run() -> None:
        torch.exp(x, out=out)

    stage.steady(run)
    taken = stage.samples(run, COUNT)
    many = summarise(taken)
    low, _, high = quantiles_of(taken[:1])
    luck = Figure(value=max(taken) / min(taken), unit="x", kind="measured")
    # Odd and even runs, as two providers by turns: one kernel, so their medians should agree.
    halves = statistics.median(taken[::2]) / statistics.median(taken[1::2])
    fair = Figure(value=max(halves, 1 / halves), unit="x", kind="measured")
    return Shown(
        f"exp of {n} floats, {COUNT} times. False: p20, median and p80 'of' the first run. True: "
        f"of all {COUNT}. Then the kernel against itself: its slowest single run over its "
        "fastest, and the medians of every other run.",
        (
            compare(
                "spread, p80 - p20 of median",
                share(high - low, taken[0], "measured"),
                share(many.p80 - many.p20, many.value, "measured"),
                lies="below",
            ),
            compare("'speedup' over itself", luck, fair, lies="above"),
        ),
    )


def quantiles_of(samples_us: list[float]) -> tuple[float, float, float]:
    """Return p20, median and p80 of any number of samples, as a careless bench does."""
    ordered = sorted(samples_us)
    last = len(ordered) - 1
    low, middle, high = (ordered[round(last * part)] for part in (0.2, 0.5, 0.8))
    return low, middle, high
