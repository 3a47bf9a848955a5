"""The buffer still holds the reference's result, and the check compares it with itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.worker.bench.lies.showing import Shown, compare, ratio_of, share

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage

CPU_ROWS, GPU_ROWS, WIDTH = 512, 1 << 16, 1024
DONE = 8
"""The kernel's grid is too small: it computes one row in so many and leaves the rest."""


def stale_output(stage: Stage) -> Shown:
    """Check a kernel that forgets seven rows in eight, in a used buffer and in one of NaN."""
    rows = GPU_ROWS if stage.on_gpu else CPU_ROWS
    x = torch.randn(rows, WIDTH, device=stage.device)
    reference, out = torch.empty_like(x), torch.empty_like(x)
    some, some_out = x[: rows // DONE], out[: rows // DONE]

    def full() -> None:
        torch.mul(x, 3.0, out=reference)

    def forgetful() -> None:
        torch.mul(some, 3.0, out=some_out)

    full()
    out.copy_(
        reference
    )  # as where the bench reuses one buffer, or the allocator hands it out again
    forgetful()
    accepted = _wrong(out, reference)
    out.fill_(float("nan"))
    forgetful()
    found = _wrong(out, reference)
    times = stage.cold({"full": full, "forgetful": forgetful})
    claimed = ratio_of(times["full"], times["forgetful"])
    cells = x.numel()
    return Shown(
        f"3 x of {rows} x {WIDTH} floats by a kernel that computes one row in {DONE}. False: its "
        "output buffer was the reference's before. True: the buffer is filled with NaN before "
        "each check, which finds the kernel wrong, and no speedup is printed.",
        (
            compare(
                "wrong elements found",
                share(accepted, cells, "counted"),
                share(found, cells, "counted"),
                lies="below",
            ),
            compare("speedup printed", claimed, None, lies="above"),
        ),
    )


def _wrong(got: torch.Tensor, reference: torch.Tensor) -> int:
    """Count the elements that differ; NaN differs from everything."""
    return int((got != reference).sum().item())
