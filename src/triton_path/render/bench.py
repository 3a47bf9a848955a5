"""A bench's report as it is read: predicted, checked, measured, and the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.jobs.bench import EAGER, FUSED, Timing
from triton_path.render import theme
from triton_path.render.bench_file import inputs_text
from triton_path.render.bench_file import without_gpu as own_chain
from triton_path.render.bench_ledger import ledger_parts, short_ledger
from triton_path.render.bench_notes import footnotes, labelled
from triton_path.render.bench_sweep import sweep_parts
from triton_path.render.bench_tables import bars, count_table, quantity, time_table
from triton_path.render.bench_three import THREE_TIMES, differ, three_times
from triton_path.render.bench_verified import signed, verified
from triton_path.tutor.bench_verdict import factors_text, main_of

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.jobs.bench import BenchReport, Check, ProviderReport, ShapeReport
    from triton_path.jobs.benches import Bench


FEW_SIZES = 7
"""From so many on a run is shown as one table."""


OTHERS = (
    ("new FILE", " writes a chain of your own; FILE.py benches it"),
    ("history", " lists the runs that were kept; compare A B sets two side by side"),
    ("lies", ": how public benches went wrong, made to happen here"),
)
"""What `bench` does beside benches, in a line each."""


def render_list(benches: Mapping[str, Bench], gpus: Sequence[str]) -> RenderableType:
    """Return the names of all benches, what else there is, and the GPUs that `--target` knows."""
    indent = (0, 0, 0, 2)
    named = [
        Text.assemble((name, theme.ACCENT), f": {bench.about}") for name, bench in benches.items()
    ]
    return Group(
        Text(" Benches", theme.TITLE),
        *[Padding(text, indent) for text in named],
        Text(" Beside them", theme.TITLE),
        *[Padding(Text.assemble((word, theme.ACCENT), about), indent) for word, about in OTHERS],
        Text(" GPUs for --target", theme.TITLE),
        Padding(Text(", ".join(gpus)), indent),
        labelled("Next", Text("triton-path bench fused-transformer", theme.ACCENT)),
    )


def render_report(report: BenchReport, width: int, *, ledger: bool = False) -> RenderableType:
    """Return the whole report for a window of `width` columns.

    `ledger`: with every operation of eager.
    """
    gpu = report.device.kind == "gpu"
    parts: list[RenderableType] = [_heading(report)]
    if report.own_file is not None and not gpu:
        return Group(*parts, *own_chain(report, width), *_end(report))
    if report.own_file is not None:
        parts.append(labelled("inputs", inputs_text(report)))
    if not gpu and report.verification is not None and report.verification.cases:
        parts.append(verified(report))
    if len(report.shapes) >= FEW_SIZES:
        parts += [Text(""), *sweep_parts(report, width)]
    else:
        for shape in report.shapes:
            part = _gpu_shape(report, shape, width) if gpu else _counted_shape(report, shape, width)
            parts += [Text(""), *part, *_ledger(report, shape, width, whole=ledger)]
    parts += [Text(""), *footnotes(report)]
    return Group(*parts, *_end(report))


def _ledger(
    report: BenchReport, shape: ShapeReport, width: int, *, whole: bool
) -> list[RenderableType]:
    if shape.ledger is None:
        return []
    if whole:
        return [Text(""), *ledger_parts(shape.ledger, width)]
    if len(report.shapes) > 1 or len(shape.ledger.rows) < 2:
        return []
    return [labelled("ledger", short_ledger(shape.ledger))]


def _end(report: BenchReport) -> list[RenderableType]:
    """Return notes, faults and the verdict."""
    parts = [labelled("note", Text(note, theme.NOTE)) for note in report.notes]
    parts += [
        labelled("wrong", Text(f"{theme.WRONG_SIGN} {fault}", theme.WRONG))
        for fault in report.faults
    ]
    return [*parts, Text(""), labelled("verdict", Text(report.verdict, theme.TITLE))]


def _heading(report: BenchReport) -> RenderableType:
    case = report.case
    words: list[str] = [case.dtype]
    if report.random is not None:
        words.append(f"dropout {case.dropout:g}" if case.dropout else "no dropout")
    if case.backward:
        words.append("backward")
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right")
    where = report.device.name if report.device.kind == "gpu" else "no GPU here"
    left = Text.assemble(" ", (report.bench, theme.TITLE), f"  {', '.join(words)}")
    grid.add_row(left, Text(f"{where} ", theme.ACCENT))
    return grid


def _at(report: BenchReport, shape: ShapeReport, device: str) -> list[ProviderReport]:
    """Return the providers of one shape whose figures hold on `device`."""
    size = (shape.rows, shape.width)
    return [p for p in report.providers if (p.rows, p.width) == size and p.device == device]


def _named(providers: Iterable[ProviderReport], name: str) -> ProviderReport:
    return next(provider for provider in providers if provider.name == name)


def _gpu_shape(report: BenchReport, shape: ShapeReport, width: int) -> list[RenderableType]:
    providers = _at(report, shape, report.device.name)
    eager = _named(providers, EAGER)
    main = main_of(report, shape.rows, shape.width) or eager
    floor_us = _floor_us(report, shape)
    parts: list[RenderableType] = [
        labelled("predicted", _predicted_text(shape, eager, main, floor_us)),
        labelled("checked", _check_text(report, providers)),
        labelled("measured", _copy_text(shape)),
        time_table(providers, width),
        bars(providers, floor_us, width),
    ]
    if main.speedup:
        against = ", ".join(
            f"over {name} {ratio.value:.2f}x" for name, ratio in main.speedup.items()
        )
        parts.append(labelled("speedup", against))
    if main.explained is not None and EAGER in main.speedup:
        split = factors_text(main, digits=2)
        ratio = main.speedup[EAGER].value
        parts.append(labelled("split", f"{ratio:.2f}x over eager is the product of {split}"))
    if any(map(differ, providers)):
        parts += [labelled("times", THREE_TIMES), three_times(providers)]
    predicted = _at(report, shape, report.target.name) if report.target else []
    if predicted and report.target and report.target.name != report.device.name:
        parts.append(labelled("predicted", _target_text(report, predicted)))
    return parts


def _floor_us(report: BenchReport, shape: ShapeReport) -> float:
    """Return the time of the least bytes at the bandwidth of a large copy."""
    copy = report.device.large_copy or shape.copy_bandwidth
    assert copy is not None
    return shape.least.value / copy.value / 1e3


def _predicted_text(
    shape: ShapeReport, eager: ProviderReport, main: ProviderReport, floor_us: float
) -> str:
    assert eager.bytes is not None
    floor = f"floor {floor_us:.0f} us" if floor_us >= 10 else f"floor {floor_us:.1f} us"
    return (
        f"{shape.rows} x {shape.width}: {_launches(eager)}, {quantity(eager.bytes.value)} -> "
        f"{_launches(main)}, {quantity(shape.least.value)} (counted): "
        f"{shape.traffic_ratio.value:.1f}x less traffic, {floor}"
    )


def _launches(provider: ProviderReport) -> str:
    count = provider.launches.value
    return f"{count:.0f} launch" if count == 1 else f"{count:.0f} launches"


def _copy_text(shape: ShapeReport) -> str:
    if shape.copy_time is None or shape.copy_bandwidth is None:
        return "no copy was measured"
    return (
        f"a copy of as many bytes: {shape.copy_time.value:.0f} us, "
        f"{shape.copy_bandwidth.value:.0f} GB/s"
    )


def _check_text(report: BenchReport, providers: Sequence[ProviderReport]) -> Text:
    checks = [(p.name, p.check) for p in providers if p.check is not None]
    errors = ", ".join(
        f"{name} {error:.1e}" if (error := _error(check)) is not None else f"{name} not a number"
        for name, check in checks
    )
    masked = " under each one's own mask" if report.random is not None else ""
    text = Text(f"error against float64{masked}: {errors} ")
    return signed(text, good=all(not check.faults for _, check in checks))


def _error(check: Check) -> float | None:
    """Return the error of the last output: the one that everything before it went into."""
    return list(check.errors.values())[-1] if check.errors else None


def _counted_shape(report: BenchReport, shape: ShapeReport, width: int) -> list[RenderableType]:
    assert report.target is not None
    providers = _at(report, shape, report.target.name)
    fused = any(provider.name == FUSED for provider in providers)
    who = "the fused kernel moves" if fused else "one kernel would have to move"
    ratio = shape.traffic_ratio.value
    text = f"{shape.rows} x {shape.width}: {who} {ratio:.1f}x fewer bytes than eager"
    parts: list[RenderableType] = [
        labelled("counted", text),
        count_table(providers, report.target.name, width),
        labelled("predicted", _target_text(report)),
    ]
    size = (shape.cpu_rows, shape.width)
    timed = [p for p in report.providers if p.device == "cpu" and (p.rows, p.width) == size]
    if timed:
        parts.append(labelled("measured", _cpu_text(report, timed)))
    return parts


def _target_text(report: BenchReport, providers: Sequence[ProviderReport] = ()) -> str:
    """Say what a prediction stands on, and the times of `providers` where no table has them."""
    assert report.target is not None
    basis = (
        f"for {report.target.name}: bytes over {report.target.bandwidth.value:g} GB/s, the "
        f"datasheet's (from {report.target.source}); a launch costs microseconds more"
    )
    times = ", ".join(f"{p.name} {p.time.value:.0f}" for p in providers if p.time)
    return f"{basis}: at least, in us: {times}" if times else basis


def _cpu_text(report: BenchReport, timed: Sequence[ProviderReport]) -> str:
    texts = []
    for provider in timed:
        time = provider.time
        if isinstance(time, Timing):
            texts.append(
                f"{provider.name} ({provider.launches.value:.0f} {provider.launches.unit}) "
                f"{time.value / 1e3:.1f} ms ({time.p20 / 1e3:.1f} .. {time.p80 / 1e3:.1f}, "
                f"n {time.n})"
            )
    ratio = timed[1].speedup.get(EAGER)
    gain = ""
    if ratio:
        gain = f": {ratio.value:.1f}x" if ratio.value >= 1 else f": slower, {ratio.value:.2f}x"
    size = f"{timed[0].rows} x {timed[0].width}"
    return (
        f"on this CPU, {report.device.threads} threads, {size}: {'; '.join(texts)}{gain}. "
        "Triton is not timed here: the interpreter's speed says nothing."
    )
