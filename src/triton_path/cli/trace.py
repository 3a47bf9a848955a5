"""`triton-path trace`."""

from __future__ import annotations

from typing import Annotated

import typer

from triton_path.cli.waiting import progress_shown


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
        typer.Option(metavar="N", help="Mark what program N stored; 0 is the first of the grid."),
    ] = None,
    plain: Annotated[bool, typer.Option("--plain", help="Print; no full screen.")] = False,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Show what the kernels of a script do to memory, and what is wrong with them; needs no GPU.

    The file runs on the CPU (device="cuda" is led there) with every launch watched: which program
    stored what, bytes and sectors of each line, and faults that a GPU would hide, such as reads out
    of bounds and races. All is counted or predicted, never measured. With :FUNCTION that function
    is called. The exit code is 1 if a fault was found or the file raised.

    Example: triton-path trace add.py

    Example: triton-path trace matmul.py:main --kernel matmul --target a100-80 --program 5
    """
    from triton_path.course.gpus import load_gpus
    from triton_path.errors import ExitCode
    from triton_path.paths import content_dir
    from triton_path.screens.trace import show_trace
    from triton_path.tutor.trace import run_trace
    from triton_path.tutor.trace_options import parse_request

    request = parse_request(
        where,
        kernel=kernel,
        everything=everything,
        target=target,
        program=program,
        table=load_gpus(content_dir()),
    )
    with progress_shown() as on_progress:
        report = run_trace(request, on_progress)
    if report.ran.led_to_cpu:
        typer.echo("The file asks for CUDA; here it runs on the CPU, in the interpreter.", err=True)
    if as_json:
        typer.echo(report.model_dump_json(indent=2, by_alias=True))
    else:
        show_trace(report, request.program, plain=plain)
    if report.wrong:
        raise typer.Exit(ExitCode.WRONG)
