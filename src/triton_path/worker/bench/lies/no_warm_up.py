"""The first calls load kernels, start threads, and run on a clock that is still rising."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.lies.showing import Shown, compare
from triton_path.worker.bench.timing import Turn, time_turns

if TYPE_CHECKING:
    from triton_path.jobs.bench import Timing
    from triton_path.worker.bench.lies.stage import Run, Stage

CALLS = 10
GPU_SIZE, CPU_SIZE = 2048, 256
IDLE_S = 1.0
SHORT_S, LONG_S = 0.025, 1.0


def no_warm_up(stage: Stage) -> Shown:
    """Time a product from its very first call; on a GPU also after 25 ms of warming up."""
    size = GPU_SIZE if stage.on_gpu else CPU_SIZE
    dtype = torch.bfloat16 if stage.on_gpu else torch.float32
    a, b = (torch.randn(size, size, device=stage.device, dtype=dtype) for _ in "ab")

    def run() -> None:
        torch.nn.functional.gelu(torch.mm(a, b))

    first = stage.first_calls(run, CALLS)
    pairs = [
        compare(f"product + GELU, mean of {CALLS}", first, stage.steady(run), lies="above"),
    ]
    setting = (
        f"A {size} x {size} product and a GELU. False: the mean of the first {CALLS} calls of this "
        "process. True: the median after 200 ms of the same."
    )
    if stage.on_gpu:
        short, long = (_after(stage, run, seconds) for seconds in (SHORT_S, LONG_S))
        what = f"after {SHORT_S * 1e3:.0f} ms of warm-up"
        pairs.append(compare(what, short, long, lies="above"))
        setting += (
            f" Then, after {IDLE_S:.0f} s of rest, with {SHORT_S * 1e3:.0f} ms of warm-up against "
            f"{LONG_S:.0f} s."
        )
    return Shown(setting, tuple(pairs))


def _after(stage: Stage, run: Run, seconds: float) -> Timing:
    """Let the device rest, warm up for `seconds`, then take twenty times."""
    stage.clock.wait()
    time.sleep(IDLE_S)
    limits = {"warm_up_s": seconds, "budget_s": 0.0}
    return time_turns({"run": Turn(run)}, 0, stage.clock, **limits)["run"]
