"""Zeros as data: fewer bits switch, and indices of zero all name one row."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.lies.showing import Shown, compare
from triton_path.worker.bench.timing import Turn, time_turns

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import Timing
    from triton_path.worker.bench.lies.stage import Stage

WIDTH = 256
CPU_ROWS, GPU_ROWS = 1 << 13, 1 << 20
LOOKUPS = 4
"""One row in so many is looked up."""
SIZE = 8192
POWER_S = 0.6
"""Of the same product before it is timed: the power limit acts after tenths of a second."""


def zeros(stage: Stage) -> Shown:
    """Look rows up by zeros and by random indices; on a GPU multiply zeros and random numbers."""
    rows = GPU_ROWS if stage.on_gpu else CPU_ROWS
    table = torch.randn(rows, WIDTH, device=stage.device)
    count = rows // LOOKUPS
    out = torch.empty(count, WIDTH, device=stage.device)
    nought = torch.zeros(count, dtype=torch.int64, device=stage.device)
    drawn = torch.randint(rows, (count,), device=stage.device)
    times = stage.cold(
        {
            "zeros": lambda: torch.index_select(table, 0, nought, out=out),
            "drawn": lambda: torch.index_select(table, 0, drawn, out=out),
        }
    )
    lookup = compare(f"{count} rows looked up", times["zeros"], times["drawn"], lies="below")
    setting = (
        f"{count} rows of {WIDTH} floats looked up in a table of {rows}. False: every index is 0, "
        "one row for all. True: random indices."
    )
    if not stage.on_gpu:
        return Shown(
            f"{setting} On a GPU a matrix product of zeros is shown too: it draws less power.",
            (lookup,),
        )
    nothing, noise = (_product(stage, draw) for draw in (torch.zeros, torch.randn))
    product = compare(f"{SIZE} x {SIZE} product", nothing, noise, lies="below")
    setting = (
        f"A {SIZE} x {SIZE} product in bfloat16, {POWER_S} s of it before it is timed, of zeros "
        f"against numbers of a normal distribution. Then: {setting}"
    )
    return Shown(setting, (product, lookup))


def _product(stage: Stage, draw: Callable[..., torch.Tensor]) -> Timing:
    """Time the product of two drawn matrices once the chip has felt its power."""
    a, b = (draw(SIZE, SIZE, device=stage.device, dtype=torch.bfloat16) for _ in "ab")
    turn = {"run": Turn(lambda: torch.mm(a, b))}
    return time_turns(turn, 0, stage.clock, warm_up_s=POWER_S, budget_s=stage.budget_s)["run"]
