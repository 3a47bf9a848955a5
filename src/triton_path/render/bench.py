"""A bench's report as it is read: predicted, checked, measured, and the verdict."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.jobs.bench import Timing
from triton_path.render import theme
from triton_path.render.bench_tables import bars, count_table, quantity, time_table

if TYPE_CHECKING:
    from collections.abc import Iterable, Mapping, Sequence

    from rich.console import RenderableType

    from triton_path.jobs.bench import BenchReport, Clocks, ProviderReport, ShapeReport

LABEL_COLUMNS = 11
FUSED, EAGER = "Triton fused", "eager"


def render_list(benches: Mapping[str, str], gpus: Sequence[str]) -> RenderableType:
    """Return the names of all benches, and of the GPUs that `--target` knows."""
    return Group(
        Text(" Benches", theme.TITLE),
        *[
            Text.assemble("  ", (name, theme.ACCENT), f": {about}")
            for name, about in benches.items()
        ],
        Text(" GPUs for --target", theme.TITLE),
        Text(f"  {', '.join(gpus)}"),
        _line("Next", Text("triton-path bench fused-transformer", theme.ACCENT)),
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
    parts += [Text(""), *_footnotes(report)]
    for note in report.notes:
        parts.append(_line("note", Text(note, theme.NOTE)))
    for fault in report.faults:
        parts.append(_line("wrong", Text(f"{theme.WRONG_SIGN} {fault}", theme.WRONG)))
    parts += [Text(""), _line("verdict", Text(report.verdict, theme.TITLE))]
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


def _line(label: str, text: Text | str) -> RenderableType:
    """Return a labelled line that wraps under its own text."""
    grid = Table.grid(padding=(0, 1))
    grid.add_column(width=LABEL_COLUMNS, no_wrap=True)
    grid.add_column()
    grid.add_row(Text(f" {label}", theme.KEY), text if isinstance(text, Text) else Text(text))
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
        _line(
            "predicted",
            f"{shape.rows} x {shape.width}: {eager.launches.value:.0f} launches, "
            f"{quantity(eager.bytes.value)} -> {fused.launches.value:.0f} launch, "
            f"{quantity(fused.bytes.value)} (counted): {shape.traffic_ratio.value:.1f}x less "
            f"traffic, floor {fused.floor.value:.0f} us",
        ),
        _line("checked", _check_text(providers)),
        _line("measured", _copy_text(shape)),
        time_table(providers, width),
        bars(providers, fused.floor.value, width),
    ]
    if fused.speedup:
        against = ", ".join(f"{ratio.value:.2f}x {name}" for name, ratio in fused.speedup.items())
        parts.append(_line("fused", f"as fast as {against}"))
    graphs = [p for p in providers if p.graph_time and p.time and _differ(p)]
    if graphs:
        times = ", ".join(f"{p.name} {p.graph_time.value:.0f}" for p in graphs if p.graph_time)
        text = f"without the host (CUDA graph), us: {times}. The host bounds the times above."
        parts.append(_line("graph", text))
    predicted = _at(report, shape, report.target.name) if report.target else []
    if predicted and report.target and report.target.name != report.device.name:
        parts.append(_line("predicted", _target_text(report, predicted)))
    return parts


def _differ(provider: ProviderReport) -> bool:
    """Tell whether a launch from the host costs more than a tenth of the time."""
    if provider.graph_time is None or provider.time is None:
        return False
    return provider.time.value > 1.1 * provider.graph_time.value


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
    good = all(not check.faults for _, check in checks)
    sign, style = (theme.RIGHT_SIGN, theme.RIGHT) if good else (theme.WRONG_SIGN, theme.WRONG)
    text = Text(f"error against float64 under each one's own mask: {errors} ")
    return text.append(sign, style)


def _verified(report: BenchReport) -> RenderableType:
    assert report.verification is not None
    cases = report.verification.cases
    right = sum(not case.check.faults for case in cases)
    good = right == len(cases)
    sign, style = (theme.RIGHT_SIGN, theme.RIGHT) if good else (theme.WRONG_SIGN, theme.WRONG)
    sizes = ", ".join(dict.fromkeys(str(case.shape) for case in cases))
    dtypes = " and ".join(dict.fromkeys(case.dtype for case in cases))
    text = Text(
        f"the fused kernel agrees with float64 in {right} of {len(cases)} cases, run by Triton's "
        f"interpreter ({dtypes}; {sizes}; rows apart in memory too) "
    )
    return _line("verified", text.append(sign, style))


def _counted_shape(report: BenchReport, shape: ShapeReport, width: int) -> list[RenderableType]:
    assert report.target is not None
    providers = _at(report, shape, report.target.name)
    parts: list[RenderableType] = [
        _line(
            "counted",
            f"{shape.rows} x {shape.width}: the fused kernel moves "
            f"{shape.traffic_ratio.value:.1f}x fewer bytes than eager",
        ),
        count_table(providers, report.target.name, width),
        _line("predicted", _target_text(report)),
    ]
    size = (shape.cpu_rows, shape.width)
    timed = [p for p in report.providers if p.device == "cpu" and (p.rows, p.width) == size]
    if timed:
        parts.append(_line("measured", _cpu_text(report, timed)))
    return parts


def _target_text(report: BenchReport, providers: Sequence[ProviderReport] = ()) -> str:
    """Say what a prediction stands on, and the times of `providers` where no table has them."""
    assert report.target is not None
    basis = (
        f"for {report.target.name}: bytes over {report.target.bandwidth.value:g} GB/s, the "
        f"datasheet's bandwidth (from {report.target.source})"
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


def _footnotes(report: BenchReport) -> list[RenderableType]:
    numbers = report.random
    lines: list[RenderableType] = []
    if report.case.dropout:
        lines.append(
            _line(
                "random",
                f"Philox {numbers.rounds} rounds, one call for {numbers.elements_per_call} "
                f"elements, threshold {numbers.threshold_bits} bits; seed {numbers.seed}, "
                f"{numbers.seed_time.value:.1f} us of the host (measured)",
            )
        )
    if report.device.kind == "gpu":
        text = "median, p20 .. p80; L2 flushed before each run, providers by turns"
        lines.append(_line("timing", text))
        lines += [_line("clocks", _clocks_text(state)) for state in report.device.clocks]
    names = ("torch", "triton", "python")
    versions = ", ".join(f"{name} {report.versions[name]}" for name in names)
    driver = f", driver {report.device.driver}" if report.device.driver else ""
    lines.append(_line("versions", f"{versions}{driver}, {report.date[:10]}"))
    return lines


def _clocks_text(state: Clocks) -> str:
    parts = [
        f"{value:.0f} {unit}"
        for value, unit in (
            (state.sm_mhz, "MHz SM"),
            (state.memory_mhz, "MHz memory"),
            (state.power_w, "W"),
            (state.temperature_c, "C"),
        )
        if value is not None
    ]
    throttle = f"throttling: {state.throttle}" if state.throttle else "throttling not told"
    return f"{state.when}: {', '.join(parts)}, {throttle}"
