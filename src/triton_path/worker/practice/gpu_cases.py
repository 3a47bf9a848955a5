"""Runs the cases of a check compiled, on the GPU."""

from __future__ import annotations

import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.practice import DONE
from triton_path.worker.practice import data, gpu_faults
from triton_path.worker.practice.cases import planned
from triton_path.worker.practice.compare import compare, expected, tolerance
from triton_path.worker.practice.mismatch import mismatch
from triton_path.worker.practice.patterns import in_values
from triton_path.worker.practice.torch_work import TorchWork

if TYPE_CHECKING:
    from triton_path.jobs.grading import Grading
    from triton_path.jobs.practice import CompileJob, Finding
    from triton_path.worker.practice.cases import PlannedCase
    from triton_path.worker.practice.compare import Difference, Expected
    from triton_path.worker.practice.data import Inputs
    from triton_path.worker.practice.gpu_machine import Machine
    from triton_path.worker.practice.learner import Learner

WAIT_S = 2.0
"""For `DONE`: the interpreter's job began at the same time and is most often shorter."""


@dataclass
class Ran:
    """A case that agrees with the reference on the GPU."""

    planned: PlannedCase
    outputs: list[torch.Tensor]
    """On the CPU."""
    wanted: list[Expected]


@dataclass
class Cases:
    """What all cases gave."""

    ran: list[Ran] = field(default_factory=list)
    virtual: int = 0
    """Cases whose tensors have no memory: they cannot be run on a GPU."""
    finding: Finding | None = None
    memory_full: bool = False


def run_cases(job: CompileJob, learner: Learner, reference: Any, machine: Machine) -> Cases:
    """Run every case until one fails. Raises ReferenceBroken where reference.py does not fit."""
    cases = Cases()
    for case in planned(job.grading, job.seed):
        if case.case.memoryless:
            cases.virtual += 1
            continue
        here = data.make(job.grading, case, job.seed)
        wanted = expected(reference, job.grading, here)
        try:
            there = here.to(machine.device)
            cases.finding = call(learner, job.grading, there, case, machine)
        except torch.OutOfMemoryError:
            cases.memory_full = True
            return cases
        if cases.finding is None:
            cases.finding = judge(job.grading, there, wanted, case, machine)
        if cases.finding is not None:
            return cases
        outputs = [there.tensors[name].cpu() for name in there.outputs]
        cases.ran.append(Ran(case, outputs, wanted))
    return cases


def call(
    learner: Learner, grading: Grading, inputs: Inputs, case: PlannedCase, machine: Machine
) -> Finding | None:
    """Call the function and wait for it; return what went wrong, results apart.

    Raises torch.OutOfMemoryError where the GPU's memory does not suffice.
    """
    seen = TorchWork(inputs, grading.may_use)
    try:
        with seen:
            learner.entry(*inputs.tensors.values(), **inputs.scalars)
        machine.clock.wait()
    except (Exception, SystemExit) as fault:
        if gpu_faults.memory_is_full(fault):
            raise torch.OutOfMemoryError from fault
        return gpu_faults.of_exception(fault, learner, case.label)
    if seen.operations:
        return gpu_faults.torch_did_it(seen.operations[0].name, case.label)
    return None


def judge(
    grading: Grading,
    inputs: Inputs,
    wanted: list[Expected],
    case: PlannedCase,
    machine: Machine,
) -> Finding | None:
    """Compare the outputs with what was wanted, where that lies."""
    given = {
        name: tensor.to(wanted[0].value.device)
        for name, tensor in inputs.tensors.items()
        if name not in inputs.outputs
    }
    for name, want in zip(inputs.outputs, wanted, strict=True):
        got = inputs.tensors[name].detach().to(want.value.device)
        difference: Difference = compare(got, want, grading, case)
        if not difference.ok:
            told = _patterns(got, want, difference, given)
            picture = mismatch(name, got, want, difference, grading, case, told)
            return gpu_faults.wrong_values(name, picture, machine.name, case.label)
    return None


def _patterns(
    got: torch.Tensor, want: Expected, difference: Difference, given: dict[str, torch.Tensor]
) -> list[str]:
    try:
        return in_values(got, want, difference.wrong, given, [])
    except torch.OutOfMemoryError:
        return []  # the large case; that it is wrong stands all the same


def agreement(cases: Cases, grading: Grading, kept: str | None) -> str:
    """Say how far the results lie from the interpreter's, which the other job may have kept."""
    folder = _finished(kept)
    compared = same = 0
    worst = 0.0
    for ran in cases.ran:
        others = None if folder is None else _kept(folder, ran)
        if others is None:
            continue
        compared += 1
        pairs = zip(ran.outputs, others, ran.wanted, strict=True)
        share = max(_share(got, other, want, grading, ran.planned) for got, other, want in pairs)
        same += share == 0
        worst = max(worst, share)
    return _agreement_in_words(compared, same, worst, cases.virtual)


def _agreement_in_words(compared: int, same: int, worst: float, virtual: int) -> str:
    said = []
    if compared and same == compared:
        said.append(f"the interpreter's values exactly, in {_cases(compared)}")
    elif compared:
        said.append(
            f"the interpreter's values to within {100 * worst:.2g} % of the tolerance, and "
            f"exactly in {same} of {_cases(compared)}"
        )
    if virtual:
        said.append(f"{_cases(virtual)} without memory not run on the GPU")
    return "; ".join(said)


def _cases(count: int) -> str:
    return "1 case" if count == 1 else f"{count} cases"


def _finished(kept: str | None) -> Path | None:
    """Return the folder of the interpreter's results once the other job has written all of them."""
    if kept is None:
        return None
    end = time.monotonic() + WAIT_S
    while not (Path(kept) / DONE).exists():
        if time.monotonic() > end:
            return None
        time.sleep(0.02)
    return Path(kept)


def _kept(folder: Path, ran: Ran) -> list[torch.Tensor] | None:
    """Return what the interpreter gave for this case, if it is there and of these shapes."""
    try:
        found = torch.load(folder / f"{ran.planned.label.number}.pt", weights_only=True)
    except Exception:  # a broken file may look like anything
        return None
    alike = isinstance(found, list) and [(one.shape, one.dtype) for one in found] == [
        (one.shape, one.dtype) for one in ran.outputs
    ]
    return found if alike else None


def _share(
    left: torch.Tensor,
    right: torch.Tensor,
    wanted: Expected,
    grading: Grading,
    case: PlannedCase,
) -> float:
    """Return the largest difference over what is tolerated; 0 where all values are the same.

    Both agree with the reference, so integers are the same.
    """
    if not left.is_floating_point():
        return 0.0
    differ = (left != right) & ~(left.isnan() & right.isnan())
    if not bool(differ.any()):
        return 0.0
    allowed = tolerance(wanted, grading, case, left.dtype)
    return float(((left.double() - right.double()).abs() / allowed)[differ].max())
