"""The clock is stopped when the launch returns, not when the kernel ends."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.lies.showing import Shown, compare

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage

SIZE = 4096
SMALL, LAUNCHES = 1 << 16, 20


def no_sync(stage: Stage) -> Shown:
    """Time a product without waiting for it; then rank it against twenty tiny additions."""
    a, b = (torch.randn(SIZE, SIZE, device=stage.device, dtype=torch.bfloat16) for _ in "ab")
    tiny = torch.randn(SMALL, device=stage.device)

    def product() -> None:
        torch.mm(a, b)

    def additions() -> None:
        for _ in range(LAUNCHES):
            tiny.add_(1.0)

    runs = {"product": product, "additions": additions}
    for run in runs.values():
        stage.first_calls(run, 20)
    careless = {name: stage.host(run, wait=False) for name, run in runs.items()}
    careful = {name: stage.host(run, wait=True) for name, run in runs.items()}
    return Shown(
        f"A {SIZE} x {SIZE} product in bfloat16, and {LAUNCHES} additions of {SMALL} floats; the "
        "host's clock around the call, 20 times, the queue empty at each start.",
        (
            compare(f"{SIZE} x {SIZE} product", careless["product"], careful["product"],
                    lies="below"),
            compare(f"{LAUNCHES} tiny additions", careless["additions"], careful["additions"],
                    lies="below"),
        ),
    )  # fmt: skip
