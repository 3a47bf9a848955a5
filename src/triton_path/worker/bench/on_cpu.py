"""What a machine without a GPU can say: everything counted, and eager against torch.compile."""

from __future__ import annotations

import time
from typing import TYPE_CHECKING

import torch
from torch._inductor import config as inductor

from triton_path.jobs.bench import COMPILED, EAGER, Figure, ProviderReport, Shape, ShapeReport
from triton_path.worker.bench.chain import compiled
from triton_path.worker.bench.checking import expected_of, judge, observe
from triton_path.worker.bench.counting import count, count_here
from triton_path.worker.bench.describing import described
from triton_path.worker.bench.ledger import ledger_of
from triton_path.worker.bench.needs import cpp_compiler
from triton_path.worker.bench.preparing import CHECK_SEED, known, least_of, steps_of
from triton_path.worker.bench.timing import time_on_cpu
from triton_path.worker.bench.verdicts import with_speedups

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.worker.bench.chain import Chain, Tensors
    from triton_path.worker.kernels.step import Step

CPU = "cpu"
UNBOUND = "gpu"
"""Device of a report that holds for any GPU: nothing but counts is in it."""
NO_COMPILER = (
    "Eager against torch.compile is not measured on this CPU: there is no C++ compiler "
    "(sudo apt install g++)."
)


def count_size(
    chain: Chain, tensors: Tensors, shape: Shape, cpu_elements: int, wanted: tuple[str, ...] = ()
) -> tuple[ShapeReport, list[ProviderReport]]:
    """Count launches and bytes of all providers as a GPU would run them, at any size.

    `tensors` may be on the meta device. What torch.compile makes is not known without a GPU.
    """
    least = least_of(chain, tensors)
    reports = [
        _counted(provider.name, shape, steps_of(provider, tensors, least))
        for provider in (chain.eager, *chain.others)
        if known(provider)
        and not provider.optional
        and (not wanted or provider.name in (*wanted, EAGER))
    ]
    moved = reports[0].bytes
    assert moved is not None
    about = ShapeReport(
        rows=shape.rows,
        width=shape.width,
        device=UNBOUND,
        traffic_ratio=Figure(value=moved.value / least.moved, unit="x", kind="counted"),
        least=Figure(value=least.moved, unit="B", kind="counted"),
        inputs=described(tensors),
        ledger=ledger_of(count(chain.eager, tensors)),
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


def measure_size(
    chain: Chain, tensors: Tensors, shape: Shape, say: Callable[[str], None]
) -> tuple[list[ProviderReport], list[str], list[str]]:
    """Time eager against torch.compile on this CPU; return reports, faults and notes."""
    if cpp_compiler() is None:
        return [], [], [NO_COMPILER]
    # A pool of compiling processes would only wait: there is one chain to compile.
    inductor.compile_threads = 1
    fused = compiled(chain)
    with torch.no_grad():
        say(f"{shape} on this CPU: torch.compile builds its C++")
        eager_call = chain.eager.bind(tensors)
        steps = count_here(eager_call)
        try:
            fused_call = fused.bind(tensors)
            loops, compile_s = _compile(fused_call)
        except Exception as fault:
            line = (str(fault).strip().splitlines() or [""])[0]
            why = f"Not measured on this CPU: torch.compile failed: {type(fault).__name__}: {line}"
            return [], [], [why]
        say(f"{shape} on this CPU: checking")
        expected = expected_of(chain, tensors)
        eager_seen = observe(chain.eager, chain, tensors, expected, seed=CHECK_SEED)
        fused_seen = observe(fused, chain, tensors, expected, seed=CHECK_SEED)
        checks = [judge(eager_seen, eager_seen), judge(fused_seen, eager_seen)]
        say(f"{shape} on this CPU: timing by turns")
        timings = time_on_cpu({EAGER: eager_call, COMPILED: fused_call})
    in_loops = ProviderReport(
        name=COMPILED,
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
            (_counted(EAGER, shape, steps, CPU), in_loops),
            checks,
            ("operations", "C++ functions"),
            strict=True,
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
