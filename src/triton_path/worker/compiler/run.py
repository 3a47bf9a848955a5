"""The job `inspect`: find a launch, compile it in every way asked for, report."""

from __future__ import annotations

import linecache
import traceback
from pathlib import Path
from typing import TYPE_CHECKING

import triton

from triton_path.jobs.inspect import (
    Compiled,
    InspectAnswer,
    InspectReport,
    Launch,
    Trouble,
)
from triton_path.jobs.messages import Progress
from triton_path.worker.compiler import private, tools
from triton_path.worker.compiler.advice import advise
from triton_path.worker.compiler.arguments import describe
from triton_path.worker.compiler.build import Refused, cache, make, use_target, varied
from triton_path.worker.compiler.capture import run_file
from triton_path.worker.compiler.choosing import (
    CannotInspect,
    launch_by_options,
    launches_of,
    numbered,
    parameters_of,
)
from triton_path.worker.compiler.facts import count
from triton_path.worker.compiler.rejection import place_of, rejection

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.inspect import Build, InspectJob
    from triton_path.jobs.messages import Message
    from triton_path.worker.compiler.capture import Captured, Recorded


def inspect_kernel(job: InspectJob, send: Callable[[Message], None]) -> InspectAnswer:
    """Do the job; what the person has to mend comes back as a Trouble."""
    with cache():
        if job.measure:
            from triton_path.worker.compiler.measure import measure

            return measure(job, send)
        try:
            return InspectAnswer(report=_report(job, send))
        except CannotInspect as fault:
            return InspectAnswer(trouble=fault.trouble)


def _report(job: InspectJob, send: Callable[[Message], None]) -> InspectReport:
    path = Path(job.path)
    target = use_target(job.builds[0].target)
    send(Progress(text=f"running {path.name} to find its launches"))
    by_hand = bool(job.arguments)
    captured = run_file(path, target, call_main=not by_hand)
    launches = launch_by_options(job, captured) if by_hand else launches_of(job, captured)
    number = 1 if by_hand else job.launch
    launch = numbered(launches, number)
    compiled = []
    for step, build in enumerate(job.builds):
        what = f"compiling {launch.kernel.__name__} for {build.target}"
        send(Progress(text=what, done=step, total=len(job.builds)))
        chosen = launch if build.launch is None else numbered(launches, build.launch)
        compiled.append(_compile(varied(chosen, build, job.constants), build, job.show))
    file, line = private.source_file(launch.kernel), private.def_line(launch.kernel)
    return InspectReport(
        triton=triton.__version__,
        file=str(path),
        kernel=launch.kernel.__name__,
        defined=place_of(file, line),
        launch=Launch(
            number=number,
            of=len(launches),
            grid=launch.grid,
            arguments=describe(varied(launch, job.builds[0], job.constants)),
            found="given by options" if by_hand else captured.found,
            configurations=launch.configurations,
        ),
        builds=tuple(compiled),
        notes=_notes(captured, path),
    )


def _compile(launch: Recorded, build: Build, show: str | None) -> Compiled:
    linecache.checkcache()
    try:
        made = make(launch, build.target)
    except Refused as refused:
        if isinstance(refused.fault, KeyError):
            # Triton takes options by keyword as well: what it does not know, nobody does.
            unknown = str(refused.fault).strip("'").removeprefix("Keyword argument ").split()[0]
            message = f"{launch.kernel.__name__} has no parameter or option '{unknown}'."
            raise CannotInspect(
                Trouble(
                    reason="arguments", message=message, parameters=parameters_of(launch.kernel)
                )
            ) from refused
        return Compiled(build=build, rejection=rejection(refused, launch.kernel))
    facts, notes = count(made)
    listing = None
    if show == "sass" and made.cubin is not None:
        try:
            listing = tools.disassemble(made.cubin, ptx_lines=False)
        except tools.NoTool as fault:
            notes.append(f"{fault}: no SASS.")
    elif show is not None:
        listing = made.texts.get(show)
        if listing is None:
            notes.append(f"{build.target} has no {show}.")
    return Compiled(
        build=build,
        num_warps=made.metadata.num_warps,
        num_stages=made.metadata.num_stages,
        facts=facts,
        listing=listing,
        advice=(*made.warned, *advise(facts, build.target)),
        notes=tuple(notes),
    )


def _notes(captured: Captured, path: Path) -> tuple[str, ...]:
    notes = []
    if captured.fault is not None:
        frames = traceback.extract_tb(captured.fault.__traceback__)
        lines = [frame.lineno for frame in frames if frame.filename == str(path)]
        where = f" at line {lines[-1]}" if lines else ""
        notes.append(
            f"{type(captured.fault).__name__}{where}, after the launch: nothing is computed here."
        )
    if captured.timed_out:
        notes.append("The file was stopped after its time; later launches are not seen.")
    return tuple(notes)
