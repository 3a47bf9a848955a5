"""A bandwidth is a quotient of two counts of bytes, and either can be counted wrongly."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.lies.showing import Shown, compare, gb_s, share

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage

CPU_ROWS, GPU_ROWS, WIDTH = 256, 1 << 16, 1024


def denominator(stage: Stage) -> Shown:
    """Judge a kernel by a copy that is counted once; count an operand at more than its size."""
    rows = GPU_ROWS if stage.on_gpu else CPU_ROWS
    x = torch.randn(rows, WIDTH, device=stage.device)
    bias = torch.randn(WIDTH, device=stage.device)
    out = torch.empty_like(x)
    times = stage.cold(
        {
            "kernel": lambda: torch.mul(x, 3.0, out=out),
            "copy": lambda: out.copy_(x),
            "biased": lambda: torch.add(x, bias, out=out),
        }
    )
    reached = gb_s(2 * x.nbytes, times["kernel"]).value
    once, both = (gb_s(count * x.nbytes, times["copy"]).value for count in (1, 2))
    moved = 2 * x.nbytes + bias.nbytes
    return Shown(
        f"3 x, and x + bias, of {rows} x {WIDTH} floats, each with a cold cache. False: a copy "
        "counted as the bytes it reads, the kernel as what it reads and writes; then the bias "
        "counted as if it were as large as x. True: every tensor at its own size, reads and "
        "writes, on both sides.",
        (
            compare(
                "3 x, share of a copy's GB/s",
                share(reached, once, "measured"),
                share(reached, both, "measured"),
                lies="above",
            ),
            compare(
                "bandwidth of x + bias",
                gb_s(3 * x.nbytes, times["biased"]),
                gb_s(moved, times["biased"]),
                lies="above",
            ),
        ),
    )
