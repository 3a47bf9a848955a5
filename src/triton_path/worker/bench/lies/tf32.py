"""One side rounds its inputs to ten bits for the tensor cores, the other computes in float32."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import Figure
from triton_path.worker.bench.lies.showing import Shown, compare, ratio_of
from triton_path.worker.missing import MissingHere

if TYPE_CHECKING:
    from triton_path.worker.bench.lies.stage import Stage
    from triton_path.worker.kernels.plain_matmul import Precision

SIZE = 4096
FIRST_WITH_TF32 = (8, 0)


def tf32(stage: Stage) -> Shown:
    """Race a Triton product in TF32, its default, against torch.mm in float32, its default."""
    if torch.version.hip or torch.cuda.get_device_capability() < FIRST_WITH_TF32:
        raise MissingHere("This GPU has no TF32: tensor cores of NVIDIA have it from 8.0 on.")
    from triton_path.worker.kernels.plain_matmul import matmul

    a, b = (torch.randn(SIZE, SIZE, device=stage.device) for _ in "ab")
    true = a.double() @ b.double()
    allowed = torch.backends.cuda.matmul.allow_tf32
    times, errors = {}, {}
    try:
        for name, allow in (("torch float32", False), ("torch TF32", True)):
            torch.backends.cuda.matmul.allow_tf32 = allow
            run = partial(torch.mm, a, b)
            times[name] = stage.cold({name: run})[name]
            errors[name] = _error(run(), true)
    finally:
        torch.backends.cuda.matmul.allow_tf32 = allowed
    precisions: dict[str, Precision] = {"Triton TF32": "tf32", "Triton float32": "ieee"}
    for name, precision in precisions.items():
        run = partial(matmul, a, b, precision=precision)
        times[name] = stage.cold({name: run})[name]
        errors[name] = _error(run(), true)
    claimed = ratio_of(times["torch float32"], times["Triton TF32"])
    like_for_like = ratio_of(times["torch TF32"], times["Triton TF32"])
    in_float32 = ratio_of(times["torch float32"], times["Triton float32"])
    return Shown(
        f"A {SIZE} x {SIZE} product of float32 tensors by a plain Triton kernel against torch.mm. "
        "False: tl.dot's default, TF32, against torch's default, float32. True: TF32 on both "
        "sides, then float32 on both. Errors against float64.",
        (
            compare("'speedup' over torch.mm", claimed, like_for_like, lies="above"),
            compare("the same, float32 on both", claimed, in_float32, lies="above"),
            compare(
                "error beside float32's", errors["Triton TF32"], errors["torch float32"],
                lies="above",
            ),
        ),
    )  # fmt: skip


def _error(got: torch.Tensor, true: torch.Tensor) -> Figure:
    """Return the norm of the difference over the norm of the truth."""
    off = (got.double() - true).norm() / true.norm()
    return Figure(value=off.item(), unit="", kind="measured")
