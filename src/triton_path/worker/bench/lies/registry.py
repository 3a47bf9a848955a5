"""The twelve lies by name, and which of them a CPU cannot tell."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.worker.bench.lies.autotune import autotune
from triton_path.worker.bench.lies.clone import clone
from triton_path.worker.bench.lies.compile_time import compile_time
from triton_path.worker.bench.lies.denominator import denominator
from triton_path.worker.bench.lies.host_bound import host_bound
from triton_path.worker.bench.lies.no_sync import no_sync
from triton_path.worker.bench.lies.no_warm_up import no_warm_up
from triton_path.worker.bench.lies.one_sample import one_sample
from triton_path.worker.bench.lies.stale_output import stale_output
from triton_path.worker.bench.lies.tf32 import tf32
from triton_path.worker.bench.lies.warm_cache import warm_cache
from triton_path.worker.bench.lies.zeros import zeros

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.lies import LieName
    from triton_path.worker.bench.lies.showing import Shown
    from triton_path.worker.bench.lies.stage import Stage


@dataclass(frozen=True)
class Lie:
    """How to tell it."""

    tell: Callable[[Stage], Shown]
    needs_gpu: bool = False


LIES: dict[LieName, Lie] = {
    "no-sync": Lie(no_sync, needs_gpu=True),
    "warm-cache": Lie(warm_cache),
    "no-warm-up": Lie(no_warm_up),
    "compile-time": Lie(compile_time),
    "tf32": Lie(tf32, needs_gpu=True),
    "zeros": Lie(zeros),
    "stale-output": Lie(stale_output),
    "clone": Lie(clone),
    "one-sample": Lie(one_sample),
    "autotune": Lie(autotune),
    "host-bound": Lie(host_bound),
    "denominator": Lie(denominator),
}
