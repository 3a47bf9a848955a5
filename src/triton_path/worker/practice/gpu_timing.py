"""Times the large case on a GPU: checked before and after, by turns with what it is compared with.

Import this before a learner's file: what measures is then as it was (see bench/timing.py).
"""

from __future__ import annotations

import statistics
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.practice import Provider
from triton_path.worker.bench.timing import Turn, time_turns
from triton_path.worker.practice import gpu_faults
from triton_path.worker.practice.cases import timed
from triton_path.worker.practice.compare import expected
from triton_path.worker.practice.gpu_baselines import baselines
from triton_path.worker.practice.gpu_cases import call, judge
from triton_path.worker.practice.gpu_large import Outputs, make_large
from triton_path.worker.practice.gpu_limit import matrix_limit, slower, stream_limit, work_of
from triton_path.worker.practice.gpu_matrix import matrix_product
from triton_path.worker.practice.gpu_stream import streams

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import Timing
    from triton_path.jobs.practice import CompileJob, Finding
    from triton_path.worker.practice.cases import PlannedCase
    from triton_path.worker.practice.data import Inputs
    from triton_path.worker.practice.gpu_limit import Limit, Work
    from triton_path.worker.practice.gpu_machine import Machine
    from triton_path.worker.practice.learner import Learner

    Run = Callable[[], object]

YOURS, STREAM, MATRIX = "yours", "stream", "matrix"
SLOWEST_S = 0.25
"""Of one run; twenty of a slower kernel would take longer than anyone waits."""
WARM_UP_S = 0.06
"""Of each provider. There are four or more, so the GPU is at work for 0.2 s ahead of the first
timed run; compiling is over by then."""
BUDGET_S = 0.8
TUNING_WARM_UP_S, TUNING_S = 0.01, 0.1
KEPT_STREAMS = 2
"""The fastest settings of the stream take part in the timed rounds, and the best counts."""
LAG_RUNS = 5
MOST_LAG_US, MOST_LAG_SHARE = 20.0, 0.05
"""What may still run after the call's stream has ended, beyond what our own kernel shows."""


@dataclass(frozen=True)
class Timed:
    """What timing gave."""

    finding: Finding | None = None
    untimed: str = ""
    """What was not timed and why, in sentences."""
    label: str = ""
    limit: Limit | None = None
    providers: tuple[Provider, ...] = ()


class _Raised(Exception):
    """The learner's function raised; the cause is what it raised."""


def time_large(job: CompileJob, learner: Learner, reference: Any, machine: Machine) -> Timed:
    """Check the timed case, time it, check it again. Raises ReferenceBroken."""
    case = timed(job.grading)
    if case is None:
        return Timed(untimed="This exercise has no timed case.")
    label = in_words(case)
    try:
        with torch.no_grad():
            return _time(job, case, learner, reference, machine)
    except Exception as fault:
        raised = fault.__cause__ if isinstance(fault, _Raised) else None
        if gpu_faults.memory_is_full(raised or fault):
            return Timed(
                untimed=f"The timed case ({label}) does not fit into the free memory of "
                f"{machine.name}."
            )
        # What the driver tells at a wait is of the learner's kernel: our own only move memory that
        # is there.
        if raised is None and not gpu_faults.is_drivers(fault):
            raise
        return Timed(finding=gpu_faults.of_exception(raised or fault, learner, case.label))


def in_words(case: PlannedCase) -> str:
    """Say sizes and type of a case."""
    sizes = ", ".join(f"{name} = {size}" for name, size in case.sizes.items())
    return f"{sizes}, {case.dtype}"


def _time(
    job: CompileJob, case: PlannedCase, learner: Learner, reference: Any, machine: Machine
) -> Timed:
    grading = job.grading
    inputs = make_large(grading, case, job.seed, machine.device)
    wanted = expected(reference, grading, inputs)
    others, notes = baselines(reference, grading, inputs, wanted, machine)
    outputs = Outputs(grading, inputs, wanted)
    finding = call(learner, grading, inputs, case, machine)
    finding = finding or judge(grading, inputs, wanted, case, machine)
    if finding is not None:
        return Timed(finding=finding)
    del wanted
    run = _caller(learner, inputs)
    seconds = _once(run, machine)
    if seconds > SLOWEST_S:
        return Timed(untimed=f"One run takes {seconds:.1f} s, too long to be timed 20 times.")

    work = work_of(grading, case)
    moving = _fastest(streams(work.read, work.written, machine.device), machine)
    finding = _hidden(run, next(iter(moving.values())), machine, case)
    if finding is not None:
        return Timed(finding=finding)
    turns = {YOURS: Turn(run, outputs.set_back, outputs.look)}
    turns |= {name: Turn(other) for name, other in (others | moving).items()}
    side, number_type = 0, ""
    if work.flops is not None:
        side, number_type, product = matrix_product(getattr(torch, case.dtype), machine.device)
        turns[MATRIX] = Turn(product)
    times = time_turns(
        turns, machine.l2_bytes, machine.clock, warm_up_s=WARM_UP_S, budget_s=BUDGET_S
    )
    limit = _limit(work, times, list(moving), machine, side, number_type)
    finding = _after(times[YOURS], limit, outputs, machine, case)
    if finding is None:
        finding = _again(job, case, learner, reference, inputs, machine)
    if finding is not None:
        return Timed(finding=finding)
    return Timed(
        untimed=" ".join(notes),
        label=in_words(case),
        limit=limit,
        providers=tuple(
            Provider(name=name, time=times[name], of_limit=limit.share(times[name].value))
            for name in (YOURS, *others)
        ),
    )


def _caller(learner: Learner, inputs: Inputs) -> Run:
    entry, given, scalars = learner.entry, tuple(inputs.tensors.values()), inputs.scalars

    def run() -> None:
        try:
            entry(*given, **scalars)
        except (Exception, SystemExit) as fault:
            raise _Raised from fault

    return run


def _once(run: Run, machine: Machine) -> float:
    """Return the seconds of one run that the host waits for."""
    machine.clock.wait()
    began = machine.clock.now()
    run()
    machine.clock.wait()
    return machine.clock.now() - began


def _fastest(every: dict[str, Run], machine: Machine) -> dict[str, Run]:
    """Return the streams that are fastest when they are tried alone, the fastest first."""
    times = time_turns(
        {name: Turn(run) for name, run in every.items()},
        machine.l2_bytes,
        machine.clock,
        warm_up_s=TUNING_WARM_UP_S,
        budget_s=TUNING_S,
    )
    best = sorted(every, key=lambda name: times[name].value)[:KEPT_STREAMS]
    return {f"{STREAM}, {name}": every[name] for name in best}


def _hidden(run: Run, ours: Run, machine: Machine, case: PlannedCase) -> Finding | None:
    """Find work that the stream of the call does not wait for, so that no event would show it."""
    usual, lag = _lag_us(ours, machine), _lag_us(run, machine)
    if not machine.clock.on_its_stream():
        return gpu_faults.hidden_work(None, case.label)
    most = usual + max(MOST_LAG_US, MOST_LAG_SHARE * 1e6 * _once(run, machine))
    return gpu_faults.hidden_work(lag, case.label) if lag > most else None


def _lag_us(run: Run, machine: Machine) -> float:
    """Return how long the device works on after the stream has ended, as a median."""
    clock = machine.clock
    lags = []
    for _ in range(LAG_RUNS):
        clock.wait()
        run()
        clock.wait_for_stream()
        ended = clock.now()
        clock.wait()
        lags.append((clock.now() - ended) * 1e6)
    return statistics.median(lags)


def _limit(
    work: Work,
    times: dict[str, Timing],
    moving: list[str],
    machine: Machine,
    side: int,
    number_type: str,
) -> Limit:
    best = min((times[name] for name in moving), key=lambda timing: timing.value)
    matrix = None
    if work.flops is not None:
        matrix = matrix_limit(work, side, times[MATRIX], number_type)
    return slower(stream_limit(work, best, machine.l2_bytes), matrix)


def _after(
    yours: Timing, limit: Limit, outputs: Outputs, machine: Machine, case: PlannedCase
) -> Finding | None:
    """Look at what the timed runs left behind, and at the time itself."""
    if not machine.clock.on_its_stream():
        return gpu_faults.hidden_work(None, case.label)
    unwritten = outputs.unwritten()
    if unwritten is not None:
        return gpu_faults.remembers(unwritten, case.label)
    if yours.value < limit.floor_us:
        return gpu_faults.impossibly_fast(yours.value, limit.floor_us, limit.words, case.label)
    return None


def _again(
    job: CompileJob,
    case: PlannedCase,
    learner: Learner,
    reference: Any,
    inputs: Inputs,
    machine: Machine,
) -> Finding | None:
    """Put other values into the same tensors and check once more."""
    fresh = make_large(job.grading, case, job.seed + 1, machine.device)
    wanted = expected(reference, job.grading, fresh)
    for name, tensor in inputs.tensors.items():
        tensor.copy_(fresh.tensors[name])
    del fresh
    finding = call(learner, job.grading, inputs, case, machine)
    if finding is not None:
        return finding
    wrong = judge(job.grading, inputs, wanted, case, machine)
    if wrong is None or wrong.mismatch is None:
        return wrong
    remembers = gpu_faults.remembers(wrong.mismatch.output, case.label)
    return remembers.model_copy(update={"mismatch": wrong.mismatch})
