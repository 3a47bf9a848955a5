"""A bench's report as it is read: predicted, checked, measured, and the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.padding import Padding
from rich.table import Table
from rich.text import Text

from triton_path.jobs.bench import EAGER, FUSED, Timing
from triton_path.render import theme
from triton_path.render.bench_notes import footnotes, labelled
from triton_path.render.bench_tables import bars, count_table, quantity, time_table
from triton_path.tutor.bench_verdict import host_bound

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.jobs.bench import BenchReport, ProviderReport, ShapeReport


def render_list(benches: Mapping[str, str], gpus: Sequence[str]) -> RenderableType:
    """Return the names of all benches, and of the GPUs that `--target` knows."""
    indent = (0, 0, 0, 2)
    named = [Text.assemble((name, theme.ACCENT), f": {about}") for name, about in benches.items()]
    return Group(
        Text(" Benches", theme.TITLE),
        *[Padding(text, indent) for text in named],
        Text(" GPUs for --target", theme.TITLE),
        Padding(Text(", ".join(gpus)), indent),
        labelled("Next", Text("triton-path bench fused-transformer", theme.ACCENT)),
    )


def render_report(report: BenchReport, width: int) -> RenderableType:
    """Return the whole report for a window of `width` columns."""
    gpu = report.device.kind == "gpu"
    parts: list[RenderableType] = [_heading(report)]
    if not gpu and report.verification is not None:
        parts.append(_verified(report))
    for shape in report.shapes:
        part = _gpu_shape(report, shape, width) if gpu else _counted_shape(report, shape, width)
        parts += [Text(""), *part]
    parts += [Text(""), *footnotes(report)]
    parts += [labelled("note", Text(note, theme.NOTE)) for note in report.notes]
    for fault in report.faults:
        parts.append(labelled("wrong", Text(f"{theme.WRONG_SIGN} {fault}", theme.WRONG)))
    parts += [Text(""), labelled("verdict", Text(report.verdict, theme.TITLE))]
    return Group(*parts)


def _heading(report: BenchReport) -> RenderableType:
    case = report.case
    dropout = f"dropout {case.dropout:g}" if case.dropout else "no dropout"
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right")
    where = report.device.name if report.device.kind == "gpu" else "no GPU here"
    left = Text.assemble(" ", (report.bench, theme.TITLE), f"  {case.dtype}, {dropout}")
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
    eager, fused = _named(providers, EAGER), _named(providers, FUSED)
    assert fused.floor is not None
    assert fused.bytes is not None
    assert eager.bytes is not None
    parts: list[RenderableType] = [
        labelled(
            "predicted",
            f"{shape.rows} x {shape.width}: {eager.launches.value:.0f} launches, "
            f"{quantity(eager.bytes.value)} -> {fused.launches.value:.0f} launch, "
            f"{quantity(fused.bytes.value)} (counted): {shape.traffic_ratio.value:.1f}x less "
            f"traffic, floor {fused.floor.value:.0f} us",
        ),
        labelled("checked", _check_text(providers)),
        labelled("measured", _copy_text(shape)),
        time_table(providers, width),
        bars(providers, fused.floor.value, width),
    ]
    if fused.speedup:
        against = ", ".join(
            f"over {name} {ratio.value:.2f}x" for name, ratio in fused.speedup.items()
        )
        parts.append(labelled("speedup", against))
    graphs = [p for p in providers if p.graph_time]
    if any(map(host_bound, graphs)):
        times = ", ".join(f"{p.name} {p.graph_time.value:.0f}" for p in graphs if p.graph_time)
        text = f"without the host (CUDA graph), us: {times}. The host bounds the times above."
        parts.append(labelled("graph", text))
    predicted = _at(report, shape, report.target.name) if report.target else []
    if predicted and report.target and report.target.name != report.device.name:
        parts.append(labelled("predicted", _target_text(report, predicted)))
    return parts


def _copy_text(shape: ShapeReport) -> str:
    if shape.copy_time is None or shape.copy_bandwidth is None:
        return "no copy was measured"
    return (
        f"a copy of as many bytes: {shape.copy_time.value:.0f} us, "
        f"{shape.copy_bandwidth.value:.0f} GB/s"
    )


def _check_text(providers: Sequence[ProviderReport]) -> Text:
    checks = [(p.name, p.check) for p in providers if p.check is not None]
    errors = ", ".join(
        f"{name} {check.error_out:.1e}" if check.error_out is not None else f"{name} not a number"
        for name, check in checks
    )
    text = Text(f"error against float64 under each one's own mask: {errors} ")
    return _signed(text, good=all(not check.faults for _, check in checks))


def _signed(text: Text, *, good: bool) -> Text:
    sign, style = (theme.RIGHT_SIGN, theme.RIGHT) if good else (theme.WRONG_SIGN, theme.WRONG)
    return text.append(sign, style)


def _verified(report: BenchReport) -> RenderableType:
    assert report.verification is not None
    cases = report.verification.cases
    right = sum(not case.check.faults for case in cases)
    sizes = ", ".join(dict.fromkeys(str(case.shape) for case in cases))
    dtypes = " and ".join(dict.fromkeys(case.dtype for case in cases))
    text = Text(
        f"the fused kernel agrees with float64 in {right} of {len(cases)} cases, run by Triton's "
        f"interpreter ({dtypes}{_not_verified(report)}; {sizes}; rows apart in memory too) "
    )
    return labelled("verified", _signed(text, good=right == len(cases)))


def _not_verified(report: BenchReport) -> str:
    """Say so where the dtype asked for is none that the interpreter can check."""
    assert report.verification is not None
    if report.case.dtype in {case.dtype for case in report.verification.cases}:
        return ""
    return f", not {report.case.dtype}: the interpreter computes it wrongly"


def _counted_shape(report: BenchReport, shape: ShapeReport, width: int) -> list[RenderableType]:
    assert report.target is not None
    providers = _at(report, shape, report.target.name)
    parts: list[RenderableType] = [
        labelled(
            "counted",
            f"{shape.rows} x {shape.width}: the fused kernel moves "
            f"{shape.traffic_ratio.value:.1f}x fewer bytes than eager",
        ),
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
    gain = f": {ratio.value:.1f}x" if ratio else ""
    size = f"{timed[0].rows} x {timed[0].width}"
    return (
        f"on this CPU, {report.device.threads} threads, {size}: {'; '.join(texts)}{gain}. "
        "Triton is not timed here: the interpreter's speed says nothing."
    )
