"""Every repeat finds its operands where the one before left them: in the cache."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.lies.showing import Shown, compare, gb_s

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage

GPU_PART, CPU_PART = 4, 32
"""The three tensors take one part in so many of the cache, which on a CPU others use too."""
LARGEST = 32 << 20
CALLS = 20


def warm_cache(stage: Stage) -> Shown:
    """Add two vectors that fit into the cache, with and without a flush before each repeat."""
    part = GPU_PART if stage.on_gpu else CPU_PART
    n = min(stage.cache_bytes // part, LARGEST) // 12
    x, y = (torch.randn(n, device=stage.device) for _ in "xy")
    out = torch.empty_like(x)

    def run() -> None:
        torch.add(x, y, out=out)

    # On a GPU, as do_bench_cudagraph does: launches from the host would hide what the cache gives.
    warm = stage.in_graph(run, CALLS) if stage.on_gpu else stage.steady(run)
    cold = stage.cold({"run": run})["run"]
    moved = 3 * x.nbytes
    manner = f"a CUDA graph of {CALLS} additions" if stage.on_gpu else "one addition after another"
    return Shown(
        f"x + y of {n} floats, {moved / 1e6:.1f} MB in all; the cache holds "
        f"{stage.cache_bytes / 1e6:.1f} MB. Warm: {manner}. Cold: the cache written over before "
        "each.",
        (
            compare(f"x + y, {moved / 1e6:.1f} MB", warm, cold, lies="below"),
            compare("its bandwidth", gb_s(moved, warm), gb_s(moved, cold), lies="above"),
        ),
    )
