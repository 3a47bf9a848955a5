"""Runs a file's function on one case under the memory watch."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any

import torch

from triton_path.worker.own_frames import short_traceback
from triton_path.worker.practice import data
from triton_path.worker.practice.compare import Difference, compare, expected
from triton_path.worker.practice.learner import place_in
from triton_path.worker.practice.rules import HostWork
from triton_path.worker.watch import KernelStopped, WatchOptions, watch
from triton_path.worker.watch.limits import time_limit
from triton_path.worker.watch.stops import OutOfTime

if TYPE_CHECKING:
    from triton_path.jobs.grading import Case, Grading
    from triton_path.jobs.watch import Place, WatchReport
    from triton_path.worker.practice.cases import PlannedCase
    from triton_path.worker.practice.compare import Expected
    from triton_path.worker.practice.data import Inputs
    from triton_path.worker.practice.learner import Learner

OUT_OF_TIME = "out-of-time"
HOST_SECONDS = 3.0
"""What a call may take beyond a launch: the watch stops that first, and names its line."""
VIRTUAL_PROGRAMS = (0, -1)
"""Programs that run where tensors have no memory: the grid is for billions of elements."""
VIRTUAL_SECONDS = 1.5
"""Longest for one of them; a program that loops over billions of elements is not judged."""


@dataclass
class Raised:
    """An exception of the learner's host code."""

    kind: str
    text: str
    place: Place | None
    traceback: str


@dataclass
class Outcome:
    """What a run of one case gave."""

    planned: PlannedCase
    inputs: Inputs
    report: WatchReport
    host: HostWork
    raised: Raised | None = None
    returned: Any = None
    untouched: dict[str, Any] = field(default_factory=dict)
    """For each output, a bool array: the elements that no one wrote."""
    changed_inputs: tuple[str, ...] = ()
    """Inputs that are not what they were."""
    wanted: list[Expected] = field(default_factory=list)
    differences: dict[str, Difference] = field(default_factory=dict)
    """For each output; empty where the results could not be compared."""

    @property
    def launches(self) -> int:
        """How many kernels were launched; the watch reports none where it does not work."""
        return self.host.launches

    @property
    def outputs(self) -> dict[str, torch.Tensor]:
        """The outputs as the call left them."""
        return {name: self.inputs.tensors[name] for name in self.inputs.outputs}


def run(
    learner: Learner,
    grading: Grading,
    planned: PlannedCase,
    reference: Any,
    *,
    seed: int,
    seconds: float,
    counted: bool = False,
    thorough: bool = True,
) -> Outcome:
    """Call the function on a case. Raises ReferenceBroken where reference.py does not fit.

    `counted` counts sectors and bytes too; `thorough` runs launches again in other orders and
    with other values in masked lanes. `seconds` is the longest that one launch may take.
    """
    virtual = planned.case.memoryless
    options = WatchOptions(
        poison=thorough,
        order=thorough,
        sectors=counted,
        programs=_programs(planned.case),
        time_limit_s=VIRTUAL_SECONDS if virtual else max(0.5, round(seconds, 1)),
    )
    raised: Raised | None = None
    returned = None
    torch.set_default_device(None)  # a file may have chosen one for itself
    with watch(options) as state:
        # Made inside, so that the watch knows the outputs for memory that nobody filled.
        inputs = data.make(grading, planned, seed)
        before = {name: tensor.clone() for name, tensor in inputs.tensors.items() if not virtual}
        host = HostWork(inputs, grading.may_use)
        with host.seen():
            returned, raised = _call(learner, inputs, seconds)
    outcome = Outcome(planned, inputs, state.report, host, raised, returned)
    if virtual or host.reshaped:
        return outcome
    outcome.changed_inputs = tuple(
        name
        for name, tensor in inputs.tensors.items()
        if name not in inputs.outputs and not _same(tensor, before[name])
    )
    outcome.untouched = {
        spec.name: data.untouched(inputs.tensors[spec.name])
        for spec in grading.outputs
        if spec.role == "output"
    }
    if raised is None and not host.reshaped:
        # The reference gets what the function got, whatever became of it.
        fresh = data.make(grading, planned, seed)
        outcome.wanted = expected(reference, grading, fresh)
        for spec, wanted in zip(grading.outputs, outcome.wanted, strict=True):
            got = inputs.tensors[spec.name]
            outcome.differences[spec.name] = compare(got, wanted, grading, planned)
    return outcome


def _programs(case: Case) -> tuple[int, ...] | None:
    if case.host_only:
        return ()
    return VIRTUAL_PROGRAMS if case.virtual else None


def _call(learner: Learner, inputs: Inputs, seconds: float) -> tuple[Any, Raised | None]:
    try:
        with time_limit(seconds + HOST_SECONDS):
            return learner.entry(*inputs.tensors.values(), **inputs.scalars), None
    except KernelStopped:
        raise
    except OutOfTime as fault:
        words = f"it still ran after {seconds + HOST_SECONDS:.0f} s"
        return None, Raised(OUT_OF_TIME, words, place_in(fault, learner.path), "")
    except BaseException as fault:
        place = place_in(fault, learner.path)
        text = str(fault)
        return None, Raised(type(fault).__name__, text, place, short_traceback(fault, learner.path))


def _same(left: torch.Tensor, right: torch.Tensor) -> bool:
    both_nan = left.isnan() & right.isnan() if left.is_floating_point() else False
    return bool(((left == right) | both_nan).all())
