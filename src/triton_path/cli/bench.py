"""`triton-path bench`."""

from __future__ import annotations

from typing import Annotated

import typer

from triton_path.cli.waiting import progress_shown


def bench(
    name: Annotated[str, typer.Argument(help="The bench; `list` names them all.")] = "list",
    shape: Annotated[
        list[str] | None,
        typer.Option(metavar="ROWSxWIDTH", help="Size of the tensors; may be given again."),
    ] = None,
    dtype: Annotated[
        str, typer.Option(metavar="DTYPE", help="bfloat16, float16 or float32.")
    ] = "bfloat16",
    dropout: Annotated[
        str, typer.Option(metavar="P", help="Probability that an element is dropped; 0 is none.")
    ] = "0.1",
    target: Annotated[
        str | None,
        typer.Option(metavar="GPU", help="GPU to predict times for: h200, a100-80, rtx-4090, ..."),
    ] = None,
    rounds: Annotated[
        str, typer.Option(metavar="N", help="Philox rounds of the fused kernel (PyTorch uses 10).")
    ] = "7",
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Time a chain of eager kernels against one fused Triton kernel.

    On a GPU: predicted, checked against float64, then measured. Without one: the kernel is
    verified in Triton's interpreter, launches and bytes are counted, times are predicted, and
    eager is measured against torch.compile on this CPU. Every figure says which it is. The exit
    code is 1 if a check failed.

    Example: triton-path bench fused-transformer

    Example: triton-path bench fused-transformer --shape 8192x8192 --dtype float16 --json
    """
    from triton_path.course.gpus import load_gpus
    from triton_path.errors import ExitCode
    from triton_path.jobs.bench import Case
    from triton_path.paths import content_dir
    from triton_path.render.bench import render_list, render_report
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor import bench as tutor

    console = plain_console()
    if name == "list":
        table = load_gpus(content_dir())
        print_lines(console, render_list(tutor.BENCHES, [gpu.id for gpu in table.gpus]))
        return
    tutor.check_name(name)
    case = Case(
        dtype=tutor.parse_dtype(dtype),
        dropout=tutor.parse_dropout(dropout),
        rounds=tutor.parse_rounds(rounds),
    )
    shapes = tuple(dict.fromkeys(tutor.parse_shape(text) for text in shape or ()))
    table = load_gpus(content_dir())
    request = tutor.Request(case, shapes, table.find(target) if target else None)
    with progress_shown() as on_progress:
        report = tutor.run_bench(request, table, on_progress)
    if as_json:
        typer.echo(report.model_dump_json(indent=2, by_alias=True))
    else:
        print_lines(console, render_report(report, console.width))
    if report.faults:
        raise typer.Exit(ExitCode.WRONG)
