"""The baseline copies its input inside the timed window, the candidate does not."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.lies.showing import Shown, compare, ratio_of
from triton_path.worker.bench.timing import Turn

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage

CPU_ELEMENTS, GPU_ELEMENTS = 1 << 18, 1 << 27


def clone(stage: Stage) -> Shown:
    """Race one in-place operation against itself, with a clone on one side and on neither."""
    n = GPU_ELEMENTS if stage.on_gpu else CPU_ELEMENTS
    kept = torch.randn(n, device=stage.device)
    work = kept.clone()
    one_side = stage.cold(
        {"baseline": lambda: kept.clone().mul_(3.0), "ours": lambda: work.mul_(3.0)}
    )

    def restore() -> None:
        work.copy_(kept)

    neither = stage.cold(
        {name: Turn(lambda: work.mul_(3.0), before=restore) for name in ("baseline", "ours")}
    )
    return Shown(
        f"mul_ of {n} floats in place, against the very same mul_. False: the baseline clones its "
        "input in the timed window, ours works on what is there. True: both get a restored input "
        "before the window opens.",
        (
            compare(
                "'speedup' over itself",
                ratio_of(one_side["baseline"], one_side["ours"]),
                ratio_of(neither["baseline"], neither["ours"]),
                lies="above",
            ),
            compare(
                "time of the baseline", one_side["baseline"], neither["baseline"], lies="above"
            ),
        ),
    )
