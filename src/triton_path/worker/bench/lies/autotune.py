"""A value that is new at every call makes the tuner, or the compiler, start anew each time."""

from __future__ import annotations

import itertools
from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.lies.showing import Shown, compare

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage

GPU_ELEMENTS, CPU_ELEMENTS = 1 << 24, 1 << 16
GPU_CALLS, CPU_CALLS = 3, 5
"""Fewer than torch.compile's limit of recompilations, 8."""


def autotune(stage: Stage) -> Shown:
    """Pass a step counter on to what is specialised for its value."""
    return _triton_autotune(stage) if stage.on_gpu else _recompilation(stage)


def _triton_autotune(stage: Stage) -> Shown:
    from triton_path.worker.kernels.tuned_scale import BLOCKS, scale

    x = torch.randn(GPU_ELEMENTS, device=stage.device)
    steps = itertools.count()
    careless = stage.first_calls(lambda: scale(x, 3.0, step=next(steps)), GPU_CALLS)
    careful = stage.steady(lambda: scale(x, 3.0, step=0))
    return Shown(
        f"A Triton kernel that scales {GPU_ELEMENTS} floats, with {len(BLOCKS)} configurations "
        f"and a step counter in its key. False: the mean of {GPU_CALLS} calls, each of which "
        "tunes. True: the step stands still, and tuning came before.",
        (compare(f"scaling, mean of {GPU_CALLS} calls", careless, careful, lies="above"),),
    )


def _recompilation(stage: Stage) -> Shown:
    x = torch.randn(CPU_ELEMENTS, device=stage.device)
    steps = itertools.count(2)  # torch.compile treats 0 and 1 as special
    torch._dynamo.reset()
    # Without a backend that generates code: no C++ compiler is needed, and each time is shorter.
    scaled = torch.compile(lambda x, step: x * step + step, backend="aot_eager", dynamic=False)
    careless = stage.first_calls(lambda: scaled(x, next(steps)), CPU_CALLS)
    careful = stage.steady(lambda: scaled(x, 2))
    return Shown(
        f"x * step + step of {CPU_ELEMENTS} floats under torch.compile (backend aot_eager), which "
        f"is specialised for the integer `step`. False: the mean of {CPU_CALLS} calls with a step "
        "counter, each of which compiles. True: the step stands still. On a GPU Triton's own "
        "autotuner is shown.",
        (compare(f"compiled, mean of {CPU_CALLS} calls", careless, careful, lies="above"),),
    )
