"""What this machine's GPU made of a launch, in a few lines."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.render import theme

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.inspect import InspectReport, LaunchArgument, Measured, MeasuredBuild


def measured_lines(report: InspectReport) -> list[Text]:
    """Return the lines that go beside the label `measured`; none where there is nothing to say."""
    if report.unmeasured:
        return [Text(f"nothing: {report.unmeasured}", theme.QUIET)]
    found = report.measured
    if found is None:
        return []
    lines = [Text(_where(found))]
    if len(found.builds) == 1:
        lines += [Text(text) for text in (_driver_says(found.builds[0]), _time(found.builds[0]))]
    lines += [Text(text, theme.QUIET) for text in _chosen(report, found)]
    compiled_for = {build.build.target for build in report.builds}
    if found.target not in compiled_for:
        text = (
            f"what stands above is for {', '.join(sorted(compiled_for))}: --target {found.target}"
        )
        lines.append(Text(text, theme.QUIET))
    return lines


def measured_table(found: Measured) -> RenderableType:
    """Return several builds, a line each, as they were timed by turns."""
    table = Table(box=None, padding=(0, 1), pad_edge=False, header_style=theme.TITLE)
    # By turns: each build was launched as often as the others.
    counts = [build.time.n for build in found.builds if build.time is not None]
    table.add_column(f" n {counts[0]}, cold" if counts else "", overflow="fold")
    for name in ("regs", "local", "programs", "us", "p20 .. p80"):
        table.add_column(name, justify="right", no_wrap=True)
    for build in found.builds:
        time = build.time
        cells = [_number(build.registers), _number(build.local_bytes), _number(build.programs)]
        if time is None:
            cells += ["-", "-"]
        else:
            cells += [_us(time.value), f"{_us(time.p20)} .. {_us(time.p80)}"]
        table.add_row(f" {build.label}", *cells)
    notes = (Text(f" {b.label}: {b.note}", theme.QUIET) for b in found.builds if b.note)
    return Group(table, *notes)


def _where(found: Measured) -> str:
    driver = f"driver {found.driver}, " if found.driver else ""
    return (
        f"on {found.device} ({found.target}), {driver}torch {found.torch}, "
        f"Triton {found.triton}, {found.date}"
    )


def _driver_says(build: MeasuredBuild) -> str:
    if build.registers is None:
        return "not loaded"
    local = f"{build.local_bytes} bytes of local memory" if build.local_bytes else "no local memory"
    parts = [f"{build.registers} registers a thread, {local}"]
    if build.programs is not None:
        plural = "" if build.programs == 1 else "s"
        parts.append(f"{build.programs} program{plural} a multiprocessor, says the driver")
    return "; ".join(parts)


def _time(build: MeasuredBuild) -> str:
    time = build.time
    if time is None:
        return f"no time: {build.note}"
    return (
        f"{_us(time.value)} us a launch, {_us(time.p20)} .. {_us(time.p80)} (p20 .. p80 of "
        f"{time.n}, cold cache)"
    )


def _chosen(report: InspectReport, found: Measured) -> list[str]:
    """Say which constants an autotuner chose, where it timed several."""
    if report.launch.configurations < 2:
        return []
    before = {argument.name: argument.text for argument in report.launch.arguments}
    return [
        f"the autotuner chose {_constants(build.arguments, before)}{build.num_warps} warps, "
        f"{build.num_stages} stages"
        for build in found.builds[:1]
    ]


def _constants(arguments: tuple[LaunchArgument, ...], before: dict[str, str]) -> str:
    chosen = (a for a in arguments if a.specialised == "constant" and a.name in before)
    return "".join(f"{a.name} {a.text}, " for a in chosen)


def _us(value: float) -> str:
    """Return microseconds with three digits."""
    return f"{value:.0f}" if value >= 100 else f"{value:.3g}"


def _number(value: int | None) -> str:
    return "?" if value is None else str(value)
