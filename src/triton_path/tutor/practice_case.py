"""A closer look at one case of an exercise: its kernels traced, or what the compiler made of them.

Both commands run scripts; an exercise's file only has a function that wants tensors. So a script is
written that calls it on the case. It stays, and the learner can run it too.
"""

from __future__ import annotations

import ast
from dataclasses import replace
from typing import TYPE_CHECKING

from triton_path.errors import UsageFault
from triton_path.jobs.practice import TARGET, CheckJob
from triton_path.paths import cache_dir
from triton_path.tutor.own_files import writing

if TYPE_CHECKING:
    from collections.abc import Mapping
    from pathlib import Path

    from triton_path.course.exercises import Exercise
    from triton_path.course.gpus import GpuTable
    from triton_path.jobs.inspect import InspectReport
    from triton_path.jobs.practice import Verdict
    from triton_path.jobs.trace import TraceReport
    from triton_path.tutor.trace_options import Request

GPU = "h200"
"""Of the roofline."""
ELSEWHERE = "TRITON_PATH_HOME=FOLDER triton-path ... keeps it in a folder of your choice"
SCRIPT = '''\
"""{exercise}, one case: {case}. Written by triton-path for its traces; it may be deleted."""

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
        number, case = first_case(exercise), None
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
        case=_text(sizes),
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
    request = Request(
        path, None, None, everything=True, gpu=gpu, table=table, program=None, script=script
    )
    return run_trace(request, lambda _: None)


def with_case(request: Request, exercise: Exercise) -> tuple[Request, str]:
    """Return the request to trace an exercise's file on its first case, and that case in words.

    A file that launches something by itself is traced as it is; the words are then empty.
    Raises what `write_script` raises.
    """
    if launches_by_itself(request.path.read_text(encoding="utf-8")):
        return request, ""
    script = write_script(exercise, request.path, None)
    case = exercise.about.grading.cases[first_case(exercise) - 1]
    return replace(request, script=script), _text(case.sizes)


def launches_by_itself(text: str) -> bool:
    """Whether a program does more than define things: it has a main, or statements that act."""
    still = (ast.Import, ast.ImportFrom, ast.FunctionDef, ast.ClassDef, ast.Assign, ast.AnnAssign)
    for node in ast.parse(text).body:
        if isinstance(node, ast.FunctionDef) and node.name == "main":
            return True
        is_text = isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)
        if not isinstance(node, still) and not is_text:
            return True
    return False


def first_case(exercise: Exercise) -> int:
    """Return the first case with tensors in memory, from 1. Raises UsageFault where none has."""
    for number, case in enumerate(exercise.about.grading.cases, start=1):
        if not case.memoryless:
            return number
    raise UsageFault(
        f"No case of {exercise.id} has tensors in memory: there is nothing to look at.",
        f"triton-path practice check {exercise.id}",
    )


def _text(sizes: Mapping[str, int]) -> str:
    return ", ".join(f"{name} = {size}" for name, size in sizes.items())


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
