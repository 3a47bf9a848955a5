"""What a machine without a GPU can say: everything counted, and eager against torch.compile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import torch
from torch._inductor import config as inductor

from triton_path.jobs.bench import BYTES, Figure, ProviderReport, Shape, ShapeReport
from triton_path.worker.bench import problem
from triton_path.worker.bench.checking import judge, observe
from triton_path.worker.bench.counting import count_here, count_steps
from triton_path.worker.bench.needs import cpp_compiler
from triton_path.worker.bench.timing import time_on_cpu
from triton_path.worker.bench.verdicts import with_speedups

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import Case
    from triton_path.worker.bench.problem import Provider
    from triton_path.worker.kernels.fused_transformer import Step

CPU = "cpu"
UNBOUND = "gpu"
"""Device of a report that holds for any GPU: nothing but counts is in it."""
CHECK_SEED, DATA_SEED = 1234, 99
NO_COMPILER = (
    "Eager against torch.compile is not measured on this CPU: there is no C++ compiler "
    "(sudo apt install g++)."
)


def count_shape(
    case: Case, shape: Shape, cpu_elements: int
) -> tuple[ShapeReport, list[ProviderReport]]:
    """Count launches and bytes of both sides as a GPU would run them, at any size."""
    size, dtype = BYTES[case.dtype], getattr(torch, case.dtype)
    eager = problem.eager_provider(case, shape, size)
    best = problem.best_eager_provider(case, shape, size)
    fused = problem.fused_provider(case, shape, size)
    reports = [
        _counted(provider.name, shape, steps)
        for provider, steps in (
            (eager, count_steps(eager.run, shape, dtype)),
            (best, count_steps(best.run, shape, dtype)),
            (fused, fused.steps),
        )
    ]
    ratio = (eager.read + eager.written) / (fused.read + fused.written)
    about = ShapeReport(
        rows=shape.rows,
        width=shape.width,
        device=UNBOUND,
        traffic_ratio=Figure(value=ratio, unit="x", kind="counted"),
        cpu_rows=cpu_shape(shape, cpu_elements).rows,
    )
    return about, reports


def _counted(name: str, shape: Shape, steps: list[Step], device: str = UNBOUND) -> ProviderReport:
    read, written = sum(step.read for step in steps), sum(step.written for step in steps)
    return ProviderReport(
        name=name,
        device=device,
        rows=shape.rows,
        width=shape.width,
        launches=Figure(value=len(steps), unit="kernels", kind="counted"),
        kernels=tuple(step.op for step in steps),
        bytes=Figure(value=read + written, unit="B", kind="counted"),
        read=read,
    )


def cpu_shape(shape: Shape, most_elements: int) -> Shape:
    """Return `shape` with as many rows as `most_elements` allow, at least one."""
    return Shape(rows=max(1, min(shape.rows, most_elements // shape.width)), width=shape.width)


def measure_shape(
    case: Case, shape: Shape, say: Callable[[str], None]
) -> tuple[list[ProviderReport], list[str], list[str]]:
    """Time eager against torch.compile on this CPU; return reports, faults and notes."""
    if cpp_compiler() is None:
        return [], [], [NO_COMPILER]
    # A pool of compiling processes would only wait: there is one chain to compile.
    inductor.compile_threads = 1
    size, dtype = BYTES[case.dtype], getattr(torch, case.dtype)
    inputs = problem.random_inputs(shape, dtype, CPU, seed=DATA_SEED)

    def call(provider: Provider) -> Callable[[], object]:
        return lambda: provider.run(inputs.x, inputs.residual, inputs.weight)

    eager = problem.eager_provider(case, shape, size)
    compiled = problem.compiled_provider(case, shape, size)
    with torch.no_grad():
        say(f"{shape} on this CPU: torch.compile builds its C++")
        steps = count_here(call(eager))
        try:
            loops, compile_s = _compile(call(compiled))
        except Exception as fault:
            line = (str(fault).strip().splitlines() or [""])[0]
            why = f"Not measured on this CPU: torch.compile failed: {type(fault).__name__}: {line}"
            return [], [], [why]
        say(f"{shape} on this CPU: checking")
        seen = observe(eager.run, inputs, case.dropout, seed=CHECK_SEED)
        checks = [
            judge(seen, seen, dtype),
            judge(observe(compiled.run, inputs, case.dropout, seed=CHECK_SEED), seen, dtype),
        ]
        say(f"{shape} on this CPU: timing by turns")
        timings = time_on_cpu({p.name: call(p) for p in (eager, compiled)})
    plain = _counted(eager.name, shape, steps, CPU)
    fused = ProviderReport(
        name=compiled.name,
        device=CPU,
        rows=shape.rows,
        width=shape.width,
        launches=Figure(value=loops, unit="C++ functions", kind="counted"),
        kernels=(),
        bytes=None,
        compile_time=Figure(value=compile_s, unit="s", kind="measured"),
    )
    reports = [
        report.model_copy(
            update={
                "time": timings[report.name],
                "check": check,
                "refused": " ".join(check.faults) or None,
                "launches": report.launches.model_copy(update={"unit": unit}),
            }
        )
        for report, check, unit in zip(
            (plain, fused), checks, ("operations", "C++ functions"), strict=True
        )
    ]
    faults = [f"{shape} on the CPU: {r.name}: {r.refused}" for r in reports if r.refused]
    return with_speedups(reports), faults, []


def _compile(run: Callable[[], object]) -> tuple[int, float]:
    """Make the first call; return how many C++ functions it made and its seconds."""
    from torch._inductor import metrics

    before = metrics.generated_kernel_count
    start = time.perf_counter()
    run()
    return metrics.generated_kernel_count - before, time.perf_counter() - start
