"""A closer look at one case of an exercise: its kernels traced, or what the compiler made of them.

Both commands run scripts; an exercise's file only has a function that wants tensors. So a script is
written that calls it on the case. It stays, and the learner can run it too.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.errors import UsageFault
from triton_path.jobs.practice import TARGET, CheckJob
from triton_path.paths import cache_dir
from triton_path.tutor.own_files import writing

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.exercises import Exercise
    from triton_path.course.gpus import GpuTable
    from triton_path.jobs.inspect import InspectReport
    from triton_path.jobs.practice import Verdict
    from triton_path.jobs.trace import TraceReport

GPU = "h200"
"""Of the roofline."""
ELSEWHERE = "TRITON_PATH_HOME=FOLDER triton-path ... keeps it in a folder of your choice"
SCRIPT = '''\
"""{exercise}, one case: {case}. Written by `triton-path practice watch`; it may be deleted."""

from triton_path.worker.practice.one_case import run

CHECK = {check!r}
run(CHECK, {number})
'''


def write_script(exercise: Exercise, path: Path, verdict: Verdict | None) -> Path:
    """Write the script that calls the function on the case that failed, or the first one.

    Raises MissingFault where it cannot be written, UsageFault where no case has any memory.
    """
    case = verdict.faults[0].case if verdict is not None and verdict.faults else None
    grading = exercise.about.grading
    number = case.number if case is not None else 1
    if number <= len(grading.cases) and grading.cases[number - 1].memoryless:
        first = next((n for n, one in enumerate(grading.cases) if not one.memoryless), None)
        if first is None:
            raise UsageFault(
                f"No case of {exercise.id} has tensors in memory: there is nothing to look at.",
                f"triton-path practice check {exercise.id}",
            )
        number, case = first + 1, None
    check = CheckJob(
        path=str(path),
        exercise=exercise.id,
        reference=str(exercise.reference.path),
        grading=grading,
        seed=verdict.seed if verdict is not None else 0,
    )
    sizes = case.sizes if case is not None else grading.cases[number - 1].sizes
    script = cache_dir() / "practice" / f"{path.stem}_case.py"
    text = SCRIPT.format(
        exercise=exercise.id,
        case=", ".join(f"{name} = {size}" for name, size in sizes.items()),
        check=check.model_dump_json(),
        number=number,
    )
    with writing(script, ELSEWHERE):
        script.parent.mkdir(parents=True, exist_ok=True)
        script.write_text(text, encoding="utf-8")
    return script


def trace_case(
    exercise: Exercise, path: Path, verdict: Verdict | None, table: GpuTable
) -> TraceReport:
    """Return what the kernels do to memory in that case. Raises what `run_trace` raises."""
    from triton_path.tutor.trace import run_trace
    from triton_path.tutor.trace_options import Request

    script = write_script(exercise, path, verdict)
    gpu = table.find(GPU)
    request = Request(script, None, None, everything=True, gpu=gpu, table=table, program=None)
    report = run_trace(request, lambda _: None)
    return report.model_copy(update={"file": str(path)})


def inspect_case(
    exercise: Exercise, path: Path, verdict: Verdict | None
) -> tuple[InspectReport, str]:
    """Return what the compiler made of the kernel, and the FILE that shows more of it.

    Raises what `run_inspect` raises.
    """
    from triton_path.tutor.inspect import run_inspect
    from triton_path.tutor.inspect_options import Options, parse_job

    where = str(write_script(exercise, path, verdict))
    return run_inspect(parse_job(where, Options(target=TARGET)), where, lambda _: None), where
