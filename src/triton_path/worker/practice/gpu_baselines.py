"""What a learner's kernel is compared with: PyTorch, one operation after the other and compiled."""

from __future__ import annotations

import os
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.bench import BEST_EAGER, COMPILED, EAGER
from triton_path.worker.practice.data import roles
from triton_path.worker.practice.gpu_faults import memory_is_full
from triton_path.worker.practice.gpu_machine import first_line

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.grading import Grading
    from triton_path.worker.practice.compare import Expected
    from triton_path.worker.practice.data import Inputs
    from triton_path.worker.practice.gpu_machine import Machine

    Run = Callable[[], object]

MOST_LAST_PLACES = 16
"""Error that a baseline may have, in units in the last place of its type, as a norm: it rounds
after each operation, so it is not held to the tolerance of one kernel."""


def baselines(
    reference: Any, grading: Grading, inputs: Inputs, wanted: list[Expected], machine: Machine
) -> tuple[dict[str, Run], list[str]]:
    """Return what runs here and is right, each called once, and notes on what does not.

    `inputs` must be as they are before a call; each baseline gets copies in their own types.
    Raises torch.OutOfMemoryError.
    """
    given = inputs.given(roles(grading))
    functions = {EAGER: reference.reference}
    if hasattr(reference, "best_eager"):
        functions[BEST_EAGER] = reference.best_eager
    functions[COMPILED] = compiled(reference.reference)
    runs: dict[str, Run] = {}
    notes = []
    for name, function in functions.items():
        run = _run(function, given, inputs.scalars)
        try:
            got = run()
            machine.clock.wait()
        except Exception as fault:
            if memory_is_full(fault):
                raise torch.OutOfMemoryError from fault
            notes.append(f"{name} does not run here: {first_line(fault)}")
            continue
        if right(got, wanted):
            runs[name] = run
        else:
            notes.append(f"{name} gives other results than the reference, so it is not timed.")
    return runs, notes


def _run(function: Callable[..., Any], given: list[torch.Tensor], scalars: dict[str, Any]) -> Run:
    return lambda: function(*given, **scalars)


def compiled(function: Callable[..., Any]) -> Callable[..., Any]:
    """Return the function under torch.compile, for one shape; its first call compiles."""
    # In this process: starting a pool of compilers takes longer than one kernel does.
    os.environ.setdefault("TORCHINDUCTOR_COMPILE_THREADS", "1")
    compiled: Callable[..., Any] = torch.compile(function, dynamic=False)
    return compiled


def right(got: Any, wanted: list[Expected]) -> bool:
    """Tell whether results have the error of their type's rounding at most."""
    results = list(got) if isinstance(got, tuple | list) else [got]
    shapes = [tuple(result.shape) for result in results]
    if shapes != [tuple(want.value.shape) for want in wanted]:
        return False
    return all(_close(result, want) for result, want in zip(results, wanted, strict=True))


def _close(result: torch.Tensor, want: Expected) -> bool:
    if not result.is_floating_point() or not want.value.is_floating_point():
        return bool((result.double() == want.value.double()).all())
    rounded = want.value.to(result.dtype).double()  # what overflows the type is infinite in it
    difference = (result.double() - rounded).abs()
    alike = (result.double() == rounded) | (result.isnan() & rounded.isnan())
    error = difference.masked_fill_(alike, 0.0).norm()
    size = want.scale.nan_to_num(posinf=0.0).norm()
    return bool(error <= MOST_LAST_PLACES * torch.finfo(result.dtype).eps * size)
