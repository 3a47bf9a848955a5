"""`triton-path inspect`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from triton_path.cli.waiting import progress_shown

if TYPE_CHECKING:
    from triton_path.jobs.inspect import InspectReport


def inspect(
    where: Annotated[str, typer.Argument(metavar="FILE[:KERNEL]", help="A kernel in a file.")],
    target: Annotated[
        str,
        typer.Option(metavar="GPU", help="sm_75 to sm_120, gfx90a, gfx942, or h200, mi300x ..."),
    ] = "sm_80",
    show: Annotated[
        str | None, typer.Option(metavar="WHAT", help="ttir, ttgir, llir, ptx, sass or amdgcn.")
    ] = None,
    lines: Annotated[
        bool, typer.Option("--lines", help="Show what each source line became.")
    ] = False,
    against: Annotated[
        list[str] | None,
        typer.Option(
            metavar="CHANGE",
            help="Compare with num_warps=8, num_stages=2, target=sm_90, unaligned, launch=2, "
            "BLOCK=256, or several joined by commas; may be given again.",
        ),
    ] = None,
    launch: Annotated[
        str, typer.Option(metavar="N", help="Which of the kernel's distinct launches.")
    ] = "1",
    arg: Annotated[
        list[str] | None,
        typer.Option(
            metavar="NAME=VALUE",
            help="An argument, x_ptr=fp32[1024,64] or n=1024; the file then need not launch.",
        ),
    ] = None,
    constant: Annotated[
        list[str] | None,
        typer.Option("--set", metavar="NAME=VALUE", help="A constexpr, such as BLOCK=128."),
    ] = None,
    num_warps: Annotated[str | None, typer.Option(metavar="N", help="Warps of a program.")] = None,
    num_stages: Annotated[
        str | None, typer.Option(metavar="N", help="Stages of pipelined loops.")
    ] = None,
    measure: Annotated[
        bool,
        typer.Option("--measure/--no-measure", help="Where a GPU is, launch and time it there."),
    ] = True,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Show what the compiler makes of a kernel; no GPU is needed.

    The file (or its main()) is run to find the launch; nothing is launched, and tensors for
    device="cuda" stay on the CPU. Shown are registers, spills, shared memory, occupancy, the bytes
    that a thread moves at once, tensor-core instructions, pipelining and barriers, all counted in
    the compiled code or predicted. Where a GPU is, the file is then run on it up to the launch, and
    that is timed; this alone is measured, and says so. The exit code is 1 if the compiler rejects
    the kernel.

    Example: triton-path inspect add.py:add_kernel

    Example: triton-path inspect matmul.py --target h200 --against num_warps=8 --against unaligned

    Example: triton-path inspect add.py:copy --arg 'x=fp32[1024]' --arg n=1024 --set BLOCK=128
    """
    from triton_path.errors import ExitCode
    from triton_path.tutor.inspect import run_inspect
    from triton_path.tutor.inspect_measure import with_measurement
    from triton_path.tutor.inspect_options import Options, parse_job

    options = Options(
        target=target,
        arguments=arg or (),
        constants=constant or (),
        num_warps=num_warps,
        num_stages=num_stages,
        launch=launch,
        against=against or (),
        show=show,
    )
    job = parse_job(where, options)
    with progress_shown() as on_progress:
        report = run_inspect(job, where, on_progress)
        if measure and (as_json or not (lines or show)):
            report = with_measurement(report, job, on_progress)
    if as_json:
        typer.echo(report.model_dump_json(indent=2, by_alias=True))
    else:
        _print(report, where, show, lines=lines)
    if any(build.rejection is not None for build in report.builds):
        raise typer.Exit(ExitCode.WRONG)


def _print(report: InspectReport, where: str, show: str | None, *, lines: bool) -> None:
    from triton_path.render.inspect import render_report
    from triton_path.render.inspect_lines import listing, render_lines
    from triton_path.terminal.console import has_colour, plain_console, print_lines

    console = plain_console()
    if show is None:
        print_lines(console, render_lines(report) if lines else render_report(report, where))
        return
    text = listing(report, show, colour=has_colour(console))
    # Not wrapped: a listing is read by programs as well.
    console.print(text, soft_wrap=True)
    notes = plain_console(stderr=True)
    for build in report.builds:
        if build.rejection is not None or build.notes:
            notes.print(render_report(report, where))
