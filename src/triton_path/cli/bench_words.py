"""`triton-path bench list`, `new`, `history` and `compare`: what is no bench itself."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from collections.abc import Sequence

WORDS = ("list", "new", "history", "compare", "lies")


def answer(words: Sequence[str], *, as_json: bool) -> None:
    """Do what `words` say; the first is one of WORDS. Raises UsageFault."""
    from triton_path.errors import UsageFault

    first, *rest = words
    most = {"list": 0, "history": 0, "lies": 1, "new": 1, "compare": 2}[first]
    if len(rest) > most:
        raise UsageFault(f"'{rest[most]}' is one name too many.", hint="triton-path bench --help")
    if first == "lies":
        from triton_path.cli.lies import show_lies

        show_lies(rest[0] if rest else None, as_json=as_json)
    elif first == "new":
        _new(rest)
    elif first == "history":
        _history(as_json=as_json)
    elif first == "compare":
        _compare(rest)
    else:
        _list()


def _list() -> None:
    from triton_path.course.gpus import load_gpus
    from triton_path.jobs.benches import BENCHES
    from triton_path.paths import content_dir
    from triton_path.render.bench import render_list
    from triton_path.terminal.console import plain_console, print_lines

    table = load_gpus(content_dir())
    print_lines(plain_console(), render_list(BENCHES, [gpu.id for gpu in table.gpus]))


def _new(rest: Sequence[str]) -> None:
    import typer

    from triton_path.tutor.bench_file import write_starter

    path = write_starter(rest[0] if rest else "chain.py")
    typer.echo(f"A chain that runs at once is in {path}. Next: triton-path bench {path}")


def _history(*, as_json: bool) -> None:
    import json

    import typer

    from triton_path.render.bench_history import render_history
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor.bench_history import folder, runs

    kept, unread = runs()
    if as_json:
        document = [
            {"number": run.number, "path": str(run.path), "bench": run.report.bench,
             "date": run.report.date, "device": run.report.device.name}
            for run in kept
        ]  # fmt: skip
        typer.echo(json.dumps(document, indent=2))
        return
    console = plain_console()
    print_lines(console, render_history(kept, unread, str(folder()), console.width))


def _compare(rest: Sequence[str]) -> None:
    from triton_path.errors import UsageFault
    from triton_path.render.bench_history import render_comparison
    from triton_path.terminal.console import plain_console, print_lines
    from triton_path.tutor.bench_compare import compare
    from triton_path.tutor.bench_history import HISTORY, find

    if len(rest) != 2:
        raise UsageFault("A comparison takes two runs: numbers, `last`, or files.", hint=HISTORY)
    before, after = (find(word) for word in rest)
    console = plain_console()
    print_lines(console, render_comparison(compare(before, after), console.width))
