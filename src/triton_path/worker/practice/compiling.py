"""The job `compile`: what the compiler says to the launches of a file, and a GPU where one is."""

from __future__ import annotations

import contextlib
import sys
import time
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.messages import Progress
from triton_path.jobs.practice import CompileAnswer, Finding
from triton_path.jobs.watch import Place as Line
from triton_path.worker.compiler.arguments import describe
from triton_path.worker.compiler.build import Refused, cache, make, use_target
from triton_path.worker.compiler.capture import recording
from triton_path.worker.compiler.rejection import rejection
from triton_path.worker.compiler.standins import cuda_on_cpu
from triton_path.worker.practice import data, gpu
from triton_path.worker.practice.cases import planned
from triton_path.worker.practice.diagnosis import named
from triton_path.worker.practice.findings import torch_did_it
from triton_path.worker.practice.integrity import Integrity, tampered
from triton_path.worker.practice.launches import signature
from triton_path.worker.practice.learner import CannotImport, load
from triton_path.worker.practice.torch_work import TorchWork
from triton_path.worker.watch.limits import time_limit
from triton_path.worker.watch.stops import OutOfTime

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.inspect import Rejection
    from triton_path.jobs.messages import Message
    from triton_path.jobs.practice import CompileJob, Diagnosis
    from triton_path.worker.compiler.capture import Recorded
    from triton_path.worker.practice.learner import Learner

SECONDS = 10.0
"""Longest time for the host code that leads to the launches."""
ENOUGH_SECONDS = 4.0
"""After which no further launch is compiled; the first is in any case."""


def compile_launches(job: CompileJob, send: Callable[[Message], None]) -> CompileAnswer:
    """Compile what the file launches for the target; run and time it where a GPU is."""
    sys.path.insert(0, str(Path(job.path).parent))
    before = Integrity()
    with cache():
        try:
            learner = load(Path(job.path), job.grading)
        except CannotImport as fault:
            # The interpreter's job says the same, in full.
            return CompileAnswer(
                finding=None, compiled=0, target=job.target, uncompiled=fault.finding.sentence
            )
        send(Progress(text=f"compiling for {job.target}"))
        answer = _compile(learner, job)
    if not torch.cuda.is_available():
        return answer
    wrong = answer.finding or tampered(before)
    if wrong is not None:
        return answer.model_copy(update={"finding": wrong, "unrun": "see the fault above"})
    finding, result = gpu.measure(job, learner, say=lambda text: send(Progress(text=text)))
    return answer.model_copy(update={"finding": finding, "gpu": result})


def _compile(learner: Learner, job: CompileJob) -> CompileAnswer:
    launched = _launches(learner, job)
    finding = launched.finding
    compiled = 0
    started = time.monotonic()
    for launch in launched.distinct:
        try:
            make(launch, job.target)
        except Refused as refused:
            finding = _rejected(refused, launch, job)  # stands before what the host code did
            break
        compiled += 1
        if time.monotonic() - started > ENOUGH_SECONDS:
            break
    return CompileAnswer(
        finding=finding,
        compiled=compiled,
        target=job.target,
        launches=launched.by_case,
        uncompiled="" if compiled else launched.trouble or "nothing was launched",
        left_out=0 if finding is not None else len(launched.distinct) - compiled,
    )


@dataclass
class _Launched:
    """What the function launched in all cases."""

    distinct: list[Recorded] = field(default_factory=list)
    """The launches that differ in what the compiler rejects by."""
    by_case: dict[int, tuple[str, ...]] = field(default_factory=dict)
    """What each case launched, in short; as `CompileAnswer.launches`."""
    trouble: str = ""
    """Why there are no more."""
    finding: Finding | None = None
    """Of host code that leaves the work to torch where kernels are compiled."""


def _launches(learner: Learner, job: CompileJob) -> _Launched:
    """Call the function on every case; nothing is launched.

    Alignment and the values of integers (other than 1) make other code of the same kernel, and no
    other rejections: launches that differ in these alone are compiled once.
    """
    distinct: dict[object, Recorded] = {}
    target = use_target(job.target)
    launched = _Launched()
    for case in planned(job.grading, job.seed):
        if case.case.memoryless:
            continue
        found: list[Recorded] = []
        inputs = data.make(job.grading, case, job.seed)
        with recording(found), cuda_on_cpu(target), TorchWork(inputs, job.grading.may_use) as work:
            try:
                with time_limit(SECONDS):
                    learner.entry(*inputs.tensors.values(), **inputs.scalars)
                launched.by_case[case.label.number] = tuple(map(_in_short, found))
            except OutOfTime:
                launched.trouble = f"the host code still ran after {SECONDS:.0f} s"
                break
            except (Exception, SystemExit) as fault:
                launched.trouble = f"{type(fault).__name__}: {fault}"
        if work.operations and launched.finding is None:
            launched.finding = torch_did_it(work.operations, case.label)
        for launch in found:
            with contextlib.suppress(Exception):
                distinct.setdefault(_signature(launch), launch)
    launched.distinct = list(distinct.values())
    return launched


def _in_short(launch: Recorded) -> str:
    constants = [
        (argument.name, argument.text)
        for argument in describe(launch)
        if argument.specialised == "constant"
    ]
    return signature(launch.kernel.__name__, launch.grid or (), constants)


def _signature(launch: Recorded) -> object:
    """Return what tells launches apart: kernel, types, constants and options."""
    parts: list[object] = [launch.kernel.__name__]
    for argument in describe(launch):
        if argument.specialised in ("constant", "= 1"):  # an integer 1 becomes a constant
            parts.append(argument.text)
        else:
            dtype, bracket, _ = argument.text.partition("[")
            parts.append(dtype if bracket else "")
    options = sorted((k, repr(v)) for k, v in launch.named.items() if k.startswith("num_"))
    return (*parts, *options)


def _rejected(refused: Refused, launch: Recorded, job: CompileJob) -> Finding:
    told = rejection(refused, launch.kernel)
    return Finding(
        kind="compiler-rejects",
        stage="compile",
        sentence=f"The compiler does not take this kernel: {told.message}",
        why="Triton's interpreter runs it as Python; a GPU needs it compiled.",
        remedy=told.hint,
        place=_line(told),
        rejection=told,
        diagnosis=_diagnosis(told, job),
    )


def _line(told: Rejection) -> Line | None:
    place = told.place
    if place is None:
        return None
    return Line(
        file=place.file,
        line=place.line,
        end_line=place.line,
        column=told.column,
        end_column=None,
        function=told.function or "",
        source=place.source,
    )


def _diagnosis(told: Rejection, job: CompileJob) -> Diagnosis | None:
    """Return the one wrong solution that the compiler rejects in the same words."""
    alike = []
    for mistake in job.mistakes:
        if mistake.fault != "compiler-rejects":
            continue
        other = _first_rejection(Path(mistake.path), job)
        if other is not None and (other.message, other.hint) == (told.message, told.hint):
            alike.append(mistake)
    return named(alike[0]) if len(alike) == 1 else None


def _first_rejection(path: Path, job: CompileJob) -> Rejection | None:
    try:
        learner = load(path, job.grading)
    except CannotImport:
        return None
    for launch in _launches(learner, job).distinct:
        try:
            make(launch, job.target)
        except Refused as refused:
            return rejection(refused, launch.kernel)
    return None
