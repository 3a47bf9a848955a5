"""`bench lies` as it is read: a table of all, or the whole story of one."""

from __future__ import annotations

from typing import TYPE_CHECKING

from rich.console import Group
from rich.table import Table
from rich.text import Text

from triton_path.jobs.bench import Timing
from triton_path.render import theme
from triton_path.render.bench_notes import labelled

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.course.lies import Stories, Story
    from triton_path.jobs.bench import Figure
    from triton_path.jobs.lies import LieReport, LiesReport, Pair

NAME_COLUMNS = 13
WHAT_COLUMNS = 27
"""Room for the name of a quantity in the table; a narrow window has none."""
TIMES = (("s", 1e6), ("ms", 1e3), ("us", 1.0))
BAR = "█"
BAR_COLUMNS = 22


def render_table(report: LiesReport, stories: Stories, width: int) -> RenderableType:
    """Return the table of all lies that were told."""
    wide = width >= theme.SIDE_BY_SIDE_COLUMNS
    head = _row("lie", "figure", ("false", "true", "factor", ""), wide=wide)
    head.stylize(theme.QUIET)
    parts = [_heading("bench lies", "public mistakes of benches, made here", report), Text("")]
    parts += [head, *(_table_row(lie, stories.find(lie.name), wide=wide) for lie in report.lies)]
    example = next((lie.name for lie in report.lies if lie.state == "shown"), report.lies[0].name)
    parts += [
        Text(""),
        labelled("figures", _origin(report)),
        labelled("Next", Text(f"triton-path bench lies {example}", theme.ACCENT)),
    ]
    return Group(*parts)


def render_story(report: LiesReport, stories: Stories, width: int) -> RenderableType:
    """Return what one lie did in public and does here, and what an honest bench does instead."""
    (lie,) = report.lies
    story = stories.find(lie.name)
    sources = f" ({'; '.join(story.sources)})" if story.sources else ""
    parts: list[RenderableType] = [
        _heading(lie.name, story.title, report),
        Text(""),
        labelled("in public", f"{story.public}{sources}"),
        Text(""),
    ]
    if lie.setting:
        parts += [labelled("run here", lie.setting), Text("")]
    for pair in lie.pairs:
        parts += [*_pair_lines(pair, width), Text("")]
    if lie.state != "shown":
        parts += [labelled("note", Text(_why_not(lie, story), theme.NOTE)), Text("")]
    for label, code in (("careless", story.careless), ("careful", story.careful)):
        parts.append(labelled(label, Text(code.rstrip())))
    parts += [
        Text(""),
        labelled("why", story.why),
        labelled("instead", story.honest),
        Text(""),
        labelled("figures", _origin(report)),
    ]
    return Group(*parts)


def _heading(name: str, about: str, report: LiesReport) -> RenderableType:
    grid = Table.grid(expand=True)
    grid.add_column(ratio=1)
    grid.add_column(justify="right")
    where = report.device.name if report.device.kind == "gpu" else "no GPU here"
    left = Text.assemble(" ", (name, theme.TITLE), f"  {about}")
    grid.add_row(left, Text(f" {where} ", theme.ACCENT))
    return grid


def _origin(report: LiesReport) -> str:
    """Say where and with what the figures were taken."""
    device = report.device
    threads = f", {device.threads} thread" if device.threads else ""
    plural = "s" if device.threads and device.threads > 1 else ""
    return (
        f"of this run: {device.name}{threads}{plural}, torch {report.versions['torch']}, "
        f"{report.date[:10]}; {report.seconds:.0f} s"
    )


def _row(name: str, what: str, cells: tuple[str, str, str, str], *, wide: bool) -> Text:
    false, true, factor, kind = cells
    about = f"{what:<{WHAT_COLUMNS}}" if wide else ""
    return Text.assemble(
        f" {name:<{NAME_COLUMNS}}{about}",
        (f"{false:>9}", theme.WRONG),
        (f"{true:>10}", theme.RIGHT),
        f"{factor:>8}  {kind}",
    )


def _table_row(lie: LieReport, story: Story, *, wide: bool) -> RenderableType:
    pair = _telling(lie)
    if pair is None:
        grid = Table.grid()
        grid.add_column(width=NAME_COLUMNS + 1, no_wrap=True)
        grid.add_column()
        grid.add_row(f" {lie.name}", Text(_short_why_not(lie, story), theme.NOTE))
        return grid
    false, true = _values(pair)
    kind = pair.false.kind if pair.shows else "not shown"
    row = _row(lie.name, pair.what, (false, true, _factor(pair), kind), wide=wide)
    if not pair.shows:
        row.stylize(theme.QUIET)
    return row


def _telling(lie: LieReport) -> Pair | None:
    """Return the pair for the table: the first that shows, or the first."""
    return next((pair for pair in lie.pairs if pair.shows), lie.pairs[0] if lie.pairs else None)


def _short_why_not(lie: LieReport, story: Story) -> str:
    if lie.state == "needs a GPU":
        return f"needs a GPU: {story.short}"
    return f"{lie.state}: {lie.why_not}"


def _why_not(lie: LieReport, story: Story) -> str:
    if lie.state == "needs a GPU":
        return f"Needs a GPU, so no figure is shown here. In public: {story.short}."
    return lie.why_not


def _pair_lines(pair: Pair, width: int) -> list[Text]:
    """Return a pair as two bars to one scale, where there is room for bars."""
    largest = _largest(pair)
    head = Text.assemble(" ", (pair.what, theme.KEY))
    if pair.factor is not None and pair.true is not None:
        head.append(f"   {_factor(pair)} {_verdict(pair, pair.true)}")
    lines = [head]
    both = (("false", pair.false, theme.WRONG), ("true", pair.true, theme.RIGHT))
    for (label, figure, style), value in zip(both, _values(pair), strict=True):
        line = Text.assemble("   ", (f"{label:<6}", theme.QUIET))
        if width >= theme.SIDE_BY_SIDE_COLUMNS:
            part = figure.value / largest if figure and largest else 0.0
            line.append(f"{BAR * round(BAR_COLUMNS * part):<{BAR_COLUMNS}}", style)
        line.append(f"{value:>10}")
        if figure is not None:
            line.append(f"  {figure.kind}{_spread(figure, largest)}", theme.QUIET)
        lines.append(line)
    return lines


def _verdict(pair: Pair, true: Figure) -> str:
    small = pair.false.value < true.value
    if pair.shows:
        return "too small" if small else "too large"
    if isinstance(true, Timing) and true.p20 <= pair.false.value <= true.p80:
        return "apart, within the spread of the true one: not shown here"
    return f"{'smaller' if small else 'larger'}: not shown here"


def _spread(figure: Figure, largest: float) -> str:
    if not isinstance(figure, Timing):
        return ""
    unit, size = _unit_of(largest)
    low, high = _digits(figure.p20 / size), _digits(figure.p80 / size)
    return f", {low} .. {high} {unit}, n {figure.n}"


def _factor(pair: Pair) -> str:
    if pair.factor is None:
        return "-"
    value = pair.factor.value
    return (
        f"{value:.0f}x" if value >= 100 else f"{value:.1f}x" if value >= 1.95 else f"{value:.2f}x"
    )


def _values(pair: Pair) -> tuple[str, str]:
    """Write both figures in one unit, that of the larger."""
    largest = _largest(pair)
    false = _written(pair.false, largest)
    return false, "none" if pair.true is None else _written(pair.true, largest)


def _largest(pair: Pair) -> float:
    return max(figure.value for figure in (pair.false, pair.true) if figure is not None)


def _written(figure: Figure, largest: float) -> str:
    value = figure.value
    if figure.unit == "us":
        unit, size = _unit_of(largest)
        return f"{_digits(value / size)} {unit}"
    if figure.unit == "x":
        return f"{value:.2f}x"
    if figure.unit == "":
        return f"{value:.1e}"
    if figure.unit == "graphs":
        return f"{value:.0f}"
    return f"{_digits(value)} {figure.unit}"


def _unit_of(largest_us: float) -> tuple[str, float]:
    return next((unit, size) for unit, size in TIMES if largest_us >= size or size == 1.0)


def _digits(value: float) -> str:
    """Write three digits, without an exponent."""
    if value == 0 or value >= 99.95:
        return f"{value:.0f}"
    if value >= 9.995:
        return f"{value:.1f}"
    return f"{value:.2f}" if value >= 0.0995 else f"{value:.2g}"
