"""Runs the fused kernel in Triton's interpreter against float64: right or wrong, never fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import Shape, Verification, Verified, VerifyJob
from triton_path.jobs.messages import Progress
from triton_path.worker.bench.checking import judge, observe
from triton_path.worker.bench.problem import random_inputs
from triton_path.worker.packages import require_packages

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import DType
    from triton_path.jobs.messages import Message

SHAPES = ((1, 1), (5, 100), (3, 257), (4, 1024), (64, 96), (2, 4096))
STRIDED = ((6, 130),)
"""Shapes whose rows lie apart in memory."""
DTYPES: tuple[DType, ...] = ("float32", "float16")
"""The interpreter computes bfloat16 wrongly without a word."""
SEED = 20


def verify(job: VerifyJob, send: Callable[[Message], None]) -> Verification:
    """Check every shape in every dtype; this process must run Triton's interpreter.

    Raises MissingHere where torch or triton is missing.
    """
    require_packages()
    from triton_path.worker.kernels import fused_transformer as chain

    p = job.dropout
    every = [(size, False) for size in SHAPES] + [(size, True) for size in STRIDED]
    plan = [(*case, dtype) for dtype in DTYPES for case in every]
    cases = []
    for done, ((rows, width), strided, name) in enumerate(plan):
        send(Progress(text=f"interpreter: {rows}x{width} {name}", done=done, total=len(plan)))
        shape, dtype = Shape(rows=rows, width=width), getattr(torch, name)
        inputs = random_inputs(shape, dtype, "cpu", seed=SEED, strided=strided)
        eager = observe(lambda x, r, w: chain.eager(x, r, w, p), inputs, p, seed=SEED)
        seen = observe(
            lambda x, r, w: chain.fused(x, r, w, p, rounds=job.rounds), inputs, p, seed=SEED
        )
        check = judge(seen, eager, dtype)
        cases.append(Verified(shape=shape, dtype=name, strided=strided, check=check))
    return Verification(cases=tuple(cases))
