"""Runs Triton kernels in the interpreter against float64: right or wrong, never fast."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import TEN_ROUNDS, Shape, Verification, Verified
from triton_path.jobs.messages import Progress
from triton_path.worker.bench.backward import gradients_of
from triton_path.worker.bench.chains import find
from triton_path.worker.bench.checking import expected_of, judge, observe
from triton_path.worker.bench.drawing import apart
from triton_path.worker.packages import require_packages

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import DType, VerifyJob
    from triton_path.jobs.messages import Message

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
    chain = find(job.bench, job.case)
    if job.case.backward:
        chain = gradients_of(chain)
    kernels = [p for p in chain.others if not p.counted and not p.optional and p.name != TEN_ROUNDS]
    every = [(size, False) for size in chain.interpreted]
    every += [(size, True) for size in STRIDED] if chain.by_row else []
    plan = [(*case, dtype) for dtype in DTYPES for case in every] if kernels else []
    cases = []
    for done, ((rows, width), strided, name) in enumerate(plan):
        send(Progress(text=f"interpreter: {rows}x{width} {name}", done=done, total=len(plan)))
        shape = Shape(rows=rows, width=width)
        tensors = chain.inputs(shape, getattr(torch, name), "cpu", SEED)
        if strided:
            tensors.update({given: apart(tensors[given]) for given in chain.by_row})
        expected = expected_of(chain, tensors)
        eager = observe(chain.eager, chain, tensors, expected, seed=SEED)
        for kernel in kernels:
            check = judge(
                observe(kernel, chain, tensors, expected, seed=SEED), eager, slack=chain.slack
            )
            cases.append(
                Verified(name=kernel.name, shape=shape, dtype=name, strided=strided, check=check)
            )
    return Verification(cases=tuple(cases))
