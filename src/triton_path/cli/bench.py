"""`triton-path bench`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated

import typer

from triton_path.cli.bench_words import WORDS, answer
from triton_path.cli.waiting import progress_shown

if TYPE_CHECKING:
    from pathlib import Path

    from triton_path.jobs.bench import BenchReport


def bench(
    words: Annotated[
        list[str] | None,
        typer.Argument(
            metavar="[NAME | FILE.py | list | new FILE | history | compare A B | lies]",
            help="A bench (`list` names all), or a chain of your own (`new` writes a starter).",
        ),
    ] = None,
    shape: Annotated[
        list[str] | None,
        typer.Option(metavar="ROWSxWIDTH", help="Size of the tensors; may be given again."),
    ] = None,
    sweep: Annotated[
        bool, typer.Option("--sweep", help="The bench's own sizes, from small to large.")
    ] = False,
    dtype: Annotated[
        str, typer.Option(metavar="DTYPE", help="bfloat16, float16 or float32.")
    ] = "bfloat16",
    dropout: Annotated[
        str | None,
        typer.Option(metavar="P", help="Probability that an element is dropped; 0.1 if not given."),
    ] = None,
    backward: Annotated[
        bool, typer.Option("--backward", help="The gradients, and not the chain.")
    ] = False,
    target: Annotated[
        str | None,
        typer.Option(metavar="GPU", help="GPU to predict times for: h200, a100-80, rtx-4090, ..."),
    ] = None,
    rounds: Annotated[
        str | None,
        typer.Option(metavar="N", help="Philox rounds, 7 if not given (PyTorch uses 10)."),
    ] = None,
    providers: Annotated[
        str | None,
        typer.Option(metavar="A,B", help="Those to run beside eager: triton,torch.compile, ..."),
    ] = None,
    ledger: Annotated[
        bool, typer.Option("--ledger", help="Show each operation of the eager chain.")
    ] = False,
    csv: Annotated[
        str | None, typer.Option(metavar="FILE", help="Write every figure as a table.")
    ] = None,
    plot: Annotated[
        str | None, typer.Option(metavar="FILE", help="Draw times or the sweep: .png or .svg.")
    ] = None,
    as_json: Annotated[bool, typer.Option("--json", help="Print the report as JSON.")] = False,
) -> None:
    """Time a chain of eager kernels against one fused Triton kernel.

    On a GPU: predicted, checked against float64, then measured. Without one: the kernel is
    verified in Triton's interpreter, launches and bytes are counted, times are predicted, and
    eager is measured against torch.compile on this CPU. Every figure says which it is. The exit
    code is 1 if a check failed. Each run is kept: `history` lists them, `compare` sets two side
    by side.

    Example: triton-path bench fused-transformer --ledger

    Example: triton-path bench softmax --sweep --plot softmax.png

    Example: triton-path bench new chain.py; triton-path bench chain.py

    Example: triton-path bench lies
    """
    from triton_path.course.gpus import load_gpus
    from triton_path.errors import ExitCode, UsageFault
    from triton_path.paths import content_dir
    from triton_path.tutor import bench as tutor
    from triton_path.tutor.bench_csv import parse_csv
    from triton_path.tutor.bench_file import is_file, run_file
    from triton_path.tutor.bench_options import parse_request
    from triton_path.tutor.trace_plot import parse_plot

    words = words or ["list"]
    if words[0] in WORDS:
        answer(words, as_json=as_json)
        return
    if len(words) > 1:
        raise UsageFault(f"'{words[1]}' is one name too many.", hint="triton-path bench --help")
    name, table = words[0], load_gpus(content_dir())
    files = (parse_csv(csv) if csv else None, parse_plot(plot) if plot else None)
    if is_file(name):
        with progress_shown() as on_progress:
            report = run_file(name, table.find(target) if target else None, table, on_progress)
    else:
        request = parse_request(
            name,
            shape or (),
            dtype=dtype,
            dropout=dropout,
            rounds=rounds,
            target=target,
            table=table,
            sweep=sweep,
            providers=providers,
            backward=backward,
        )
        with progress_shown() as on_progress:
            report = tutor.run_bench(request, table, on_progress)
    _show(report, files, ledger=ledger, as_json=as_json)
    if report.faults:
        raise typer.Exit(ExitCode.WRONG)


def _show(
    report: BenchReport, files: tuple[Path | None, Path | None], *, ledger: bool, as_json: bool
) -> None:
    from triton_path.render.bench import render_report
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor.bench_csv import write_csv
    from triton_path.tutor.bench_history import keep

    keep(report)
    if as_json:
        typer.echo(report.model_dump_json(indent=2, by_alias=True))
    else:
        console = plain_console()
        print_lines(console, render_report(report, console.width, ledger=ledger))
    table, figure = files
    if table is not None:
        write_csv(report, table)
        typer.echo(f"The table is in {table}", err=True)
    if figure is not None:
        # Deferred, half a second: only a figure needs matplotlib.
        from triton_path.render.bench_plot import draw

        draw(report, figure)
        typer.echo(f"The figure is in {figure}", err=True)
