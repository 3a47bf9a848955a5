"""A kernel shorter than its launch: what is timed is Python and the dispatcher."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import Figure
from triton_path.worker.bench.lies.showing import Shown, compare, ratio_of

if TYPE_CHECKING:
    from triton_path.jobs.bench import Timing
    from triton_path.worker.bench.lies.stage import Stage

SMALL, LARGER = 256, 16384
"""Elements; the larger still fits into an L2 of a CPU and still runs in one thread."""
CALLS = 500
GPU_ELEMENTS = 512 * 1024
GRAPH_CALLS = 50


def host_bound(stage: Stage) -> Shown:
    """Time an addition that is over sooner than its call."""
    return _on_gpu(stage) if stage.on_gpu else _on_cpu(stage)


def _on_gpu(stage: Stage) -> Shown:
    x = torch.randn(GPU_ELEMENTS, device=stage.device, dtype=torch.bfloat16)
    out = torch.empty_like(x)

    def run() -> None:
        torch.add(x, x, out=out)

    launched = stage.each_of(run, CALLS)
    waited_for = stage.host(run, wait=True)
    alone = stage.in_graph(run, GRAPH_CALLS)
    return Shown(
        f"x + x of {GPU_ELEMENTS} bfloat16, the cache warm. False: {CALLS} launches in a row, "
        "and one launch with a wait behind it. True: the same kernel in a CUDA graph of "
        f"{GRAPH_CALLS}, launched by nobody.",
        (
            compare("x + x, launched in a row", launched, alone, lies="above"),
            compare("x + x, waited for each time", waited_for, alone, lies="above"),
        ),
    )


def _on_cpu(stage: Stage) -> Shown:
    small, larger = _added(stage, SMALL), _added(stage, LARGER)
    per_element = (larger.value - small.value) / (LARGER - SMALL)
    # Of two measured times; noise may make it negative where both are nothing but the call.
    alone = Figure(value=max(0.0, per_element * SMALL), unit="us", kind="measured")
    claimed, real = ratio_of(larger, small), LARGER / SMALL
    return Shown(
        f"x + x of {SMALL} floats, {CALLS} calls in a row, 20 times. False: the time of a call. "
        f"True: the time of the addition in it, by the difference to {LARGER} floats. A GPU's "
        "launch costs more than this call, and its kernels are shorter: there a CUDA graph is "
        "measured.",
        (
            compare(f"x + x of {SMALL} floats", small, alone, lies="above"),
            compare(
                f"work of {LARGER} floats beside it",
                claimed,
                Figure(value=real, unit="x", kind="counted"),
                lies="below",
            ),
        ),
    )


def _added(stage: Stage, elements: int) -> Timing:
    x = torch.randn(elements, device=stage.device)
    out = torch.empty_like(x)
    return stage.each_of(lambda: torch.add(x, x, out=out), CALLS)
