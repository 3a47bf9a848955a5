"""`triton-path trace`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from triton_path.cli.waiting import progress_shown

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.course.exercises import Exercise


def trace(
    where: Annotated[str, typer.Argument(metavar="FILE[:FUNCTION]", help="What to run.")],
    kernel: Annotated[
        str | None, typer.Option(metavar="NAME", help="Show the launches of one kernel.")
    ] = None,
    everything: Annotated[
        bool,
        typer.Option(
            "--all-checks/--quick",
            help="Quick: no second runs in other orders or with other masked lanes.",
        ),
    ] = True,
    target: Annotated[
        str, typer.Option(metavar="GPU", help="GPU of the roofline: h200, a100-80, rtx-4090, ...")
    ] = "h200",
    program: Annotated[
        str | None,
        typer.Option(metavar="N", help="Mark what program N touched; 0 is the first of the grid."),
    ] = None,
    programs: Annotated[
        str | None,
        typer.Option(
            metavar="N,N,...", help="Run these alone (-1: the last), extrapolate the rest."
        ),
    ] = None,
    arg: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="Launch FILE:KERNEL by hand: x=bf16[1024,64] is random, n=1024 a number.",
        ),
    ] = None,
    constant: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A constexpr, such as BLOCK=128."),
    ] = None,
    grid: Annotated[
        str | None, typer.Option(metavar="X,Y,Z", help="The grid of a launch by hand.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw tiles, lines, roofline: .png or .svg.")
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print; no full screen.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Show what the kernels of a script do to memory, and what is wrong with them; needs no GPU.

    The file runs on the CPU (device="cuda" is led there) with every launch watched: which program
    touched what, bytes and sectors of each line, and faults that a GPU would hide, such as reads
    out of bounds and races. All is counted or predicted, never measured; where a grid is too large
    to run, some programs are counted and the rest is extrapolated, and said so. With :FUNCTION that
    function is called. The exit code is 1 if a fault was found or the file raised.

    An exercise's file of yours is run on the exercise's first case.

    Example: triton-path trace add.py --plot add.png

    Example: triton-path trace matmul.py:main --kernel matmul --target a100-80 --program 5

    Example: triton-path trace add.py:add --arg 'x=fp32[4096]' --arg n=4096 --set B=128 --grid 32
    """
    from triton_path.course.gpus import load_gpus
    from triton_path.errors import ExitCode
    from triton_path.paths import content_dir
    from triton_path.screens.trace import show_trace
    from triton_path.tutor.trace import run_trace
    from triton_path.tutor.trace_options import ByHand, parse_request

    request = parse_request(
        where,
        kernel=kernel,
        everything=everything,
        target=target,
        program=program,
        table=load_gpus(content_dir()),
        programs=programs,
        plot=plot,
        hand=ByHand(arg or (), constant or (), grid),
    )
    exercise = None if request.function or request.by_hand else _own_exercise(request.path)
    if exercise is not None:
        from triton_path.tutor.practice_case import with_case

        request, case = with_case(request, exercise)
        if case:
            typer.echo(f"{request.path.name} is run on a case of {exercise.id}: {case}.", err=True)
    with progress_shown() as on_progress:
        report = run_trace(request, on_progress)
    if report.ran.led_to_cpu:
        typer.echo("The file asks for CUDA; here it runs on the CPU, in the interpreter.", err=True)
    if as_json:
        typer.echo(report.model_dump_json(indent=2, by_alias=True))
    else:
        show_trace(report, request.program, plain=plain)
    if request.plot is not None:
        # Deferred, half a second: only a figure needs matplotlib.
        from triton_path.render.trace_plot import draw

        draw(report, request.plot, request.program)
        typer.echo(f"The figure is in {request.plot}", err=True)
    if report.wrong:
        raise typer.Exit(ExitCode.WRONG)


def _own_exercise(path: Path) -> Exercise | None:
    """Return the exercise whose file in the workspace this is; None for any other file."""
    from triton_path.cli.setup import course_and_store
    from triton_path.course.exercises import FOLDER
    from triton_path.course.load_exercise import load_exercise
    from triton_path.paths import content_dir
    from triton_path.tutor.workspace import is_own

    slug = path.stem.replace("_", "-")
    if not (content_dir() / FOLDER / slug).is_dir():  # most files: no store need be opened
        return None
    with course_and_store() as (root, course, store):
        if slug not in course.exercises:
            return None
        exercise = load_exercise(root, slug)
        return exercise if is_own(store, exercise, str(path)) else None
