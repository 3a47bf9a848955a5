"""Figures of traces: that they can be drawn, that nothing overlaps, that they say what they are."""

from __future__ import annotations

import re
import sys
import xml.etree.ElementTree as ET
from itertools import combinations
from typing import TYPE_CHECKING, Any

import pytest

from tests import traces
from triton_path.course.gpus import GpuTable, load_gpus
from triton_path.errors import MissingFault
from triton_path.jobs.watch import Tile
from triton_path.paths import content_dir

pytest.importorskip("matplotlib")

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.image import imread
from matplotlib.text import Text

from triton_path.render import trace_plot
from triton_path.render.trace_plot_tiles import rectangles

if TYPE_CHECKING:
    from pathlib import Path

    from matplotlib.figure import Figure

    from triton_path.jobs.trace import TraceReport


@pytest.fixture(scope="module")
def table() -> GpuTable:
    return load_gpus(content_dir())


def report_of(table: GpuTable, *, faults: tuple[Any, ...] = (), **changes: Any) -> TraceReport:
    return traces.report(traces.watched(traces.launch(**changes), faults=faults), table)


def texts_of(figure: Figure) -> list[Text]:
    """Return what is written; ticks beyond the ends of an axis are there and not drawn."""
    hidden = set()
    for axes in figure.axes:
        for axis in (axes.xaxis, axes.yaxis):
            low, high = sorted(axis.get_view_interval())
            ticks = (*axis.get_major_ticks(), *axis.get_minor_ticks())
            hidden |= {tick.label1 for tick in ticks if not low <= tick.get_loc() <= high}
            hidden |= {label for tick in ticks for label in (tick.label1, tick.label2)
                       if not axes.axison}  # fmt: skip
    found = figure.findobj(Text)
    return [it for it in found if it.get_text() and it.get_visible() and it not in hidden]


def words_of(figure: Figure) -> str:
    figure.draw_without_rendering()
    return "\n".join(text.get_text() for text in texts_of(figure))


MANY = tuple(
    traces.line(place=traces.place(n, f"x = tl.load(x_ptr + {'i ' * n})")) for n in range(9)
)
HALF = traces.argument("x_ptr", dtype="float16", unique_loaded_bytes=100)
CASES: dict[str, dict[str, Any]] = {
    "a row": {},
    "a matrix": {
        "ownership": (
            traces.owned([[n // 8 + 8 * (m // 8) for n in range(64)] for m in range(64)]),
        ),
        "grid": (64, 1, 1),
    },
    "nothing": {"ownership": (), "lines": ()},
    "many": {
        "ownership": (traces.owned([list(range(128))]),) * 8,
        "lines": MANY * 2,
        "grid": (128, 1, 1),
    },
    "a dot": {"arguments": (HALF,), "dot_flops": 18_000},
    "in part": {
        "grid": (100, 1, 1),
        "extrapolated": traces.extrapolation(ids=(0, 99)),
        "ownership": (
            traces.owned([[0, *[-1] * 98, 99]], columns=8000).model_copy(update={"sampled": True}),
        ),
    },
    "empty": {"ownership": (traces.owned([[]], rows=1),)},
}


@pytest.mark.parametrize("case", CASES)
def test_nothing_overlaps_and_nothing_is_cut(table: GpuTable, case: str) -> None:
    figure = trace_plot.figure_of(report_of(table, faults=(traces.fault(),), **CASES[case]))
    renderer = FigureCanvasAgg(figure).get_renderer()
    figure.draw_without_rendering()
    boxes = [(text.get_text(), text.get_window_extent(renderer)) for text in texts_of(figure)]
    width, height = figure.get_size_inches() * figure.dpi
    for words, box in boxes:
        assert box.x0 >= -1, words
        assert box.y0 >= -1, words
        assert box.x1 <= width + 1, words
        assert box.y1 <= height + 1, words
    for (one, a), (other, b) in combinations(boxes, 2):
        apart = a.x1 <= b.x0 + 1 or b.x1 <= a.x0 + 1 or a.y1 <= b.y0 + 1 or b.y1 <= a.y0 + 1
        assert apart, (one, other)


def test_a_figure_says_what_it_shows(table: GpuTable) -> None:
    words = words_of(trace_plot.figure_of(report_of(table, faults=(traces.fault(),))))
    for part in ("add   grid (4, 1, 1)", "add.py:7   800 B moved", "o_ptr[100]: last stored by",
                 "   9  a = tl.load(x_ptr + i)", "400 B, sectors 96 %", "1 fault found",
                 "no tl.dot, somewhere below", "Nothing is measured"):  # fmt: skip
        assert part in words, part
    words = words_of(trace_plot.figure_of(report_of(table, **CASES["in part"])))
    for part in ("~40 KB moved", "counted in 2 of 100 programs, extrapolated", "~20 KB, sectors",
                 "bytes of each line, extrapolated", "of those that ran"):  # fmt: skip
        assert part in words, part
    words = words_of(trace_plot.figure_of(report_of(table, **CASES["a dot"])))
    assert "45 FLOP a byte of the bytes asked for" in words
    assert "180 FLOP a byte if caches serve every repetition" in words
    words = words_of(trace_plot.figure_of(report_of(table, **CASES["many"])))
    assert "the 10 largest of 18" in words
    assert "2 more pictures are on the screen" in words


def test_the_launch_with_a_fault_is_drawn(table: GpuTable) -> None:
    launches = (traces.launch(), traces.launch(kernel="second"))
    watch = traces.watched(*launches, faults=(traces.fault(launch=1),))
    report = traces.report(watch, table)
    assert trace_plot.shown_launch(report) == 1
    assert "launch 2 of 2" in words_of(trace_plot.figure_of(report))
    assert trace_plot.shown_launch(report_of(table)) == 0


def test_the_marked_program_is_outlined(table: GpuTable) -> None:
    tiles = {1: (Tile(rows=(0, 0), columns=((0, 9), (20, 29))),)}
    owned = traces.owned([[0] * 100]).model_copy(update={"tiles": tiles})
    report = report_of(table, ownership=(owned,))
    outlines = [
        [patch for patch in figure.findobj() if getattr(patch, "get_linewidth", int)() == 2.0]
        for figure in (trace_plot.figure_of(report, 1), trace_plot.figure_of(report, 2))
    ]
    assert [len(found) for found in outlines] == [2, 0]


def test_the_same_trace_gives_the_same_svg(table: GpuTable, tmp_path: Path) -> None:
    texts = []
    for path in (tmp_path / "a.svg", tmp_path / "b.svg"):
        trace_plot.draw(report_of(table), path)
        texts.append(re.sub(r"\b[hmp][0-9a-f]{10}\b", "name", path.read_text()))
    assert ET.fromstring(texts[0]).tag.endswith("svg")  # noqa: S314
    number = re.compile(r"\d+\.\d+")
    first, second = ([float(found) for found in number.findall(text)] for text in texts)
    # The layout's solver may round a last digit differently; names are hashes of such numbers.
    assert first == pytest.approx(second, abs=1e-3)
    assert number.sub("", texts[0]) == number.sub("", texts[1])


def test_the_same_trace_gives_the_same_png(table: GpuTable, tmp_path: Path) -> None:
    pictures = []
    for path in (tmp_path / "a.png", tmp_path / "b.png"):
        trace_plot.draw(report_of(table), path)
        assert path.read_bytes().startswith(b"\x89PNG")
        pictures.append(imread(path))
    first, second = pictures
    assert first.shape == second.shape
    assert abs(first - second).max() <= 2 / 255


def test_a_full_disk_is_told(table: GpuTable) -> None:
    if sys.platform != "linux":
        pytest.skip("/dev/full is Linux's")
    from pathlib import Path

    with pytest.raises(MissingFault, match="cannot be written"):
        trace_plot.draw(report_of(table), Path("/no/such/folder/a.png"))


def test_rectangles_cover_every_cell_once() -> None:
    cells = ((0, 0, 1), (0, 0, 1), (2, 0, 1))
    found = list(rectangles(cells))
    assert sorted(found) == [(0, 0, 2, 0, 2), (0, 2, 3, 1, 2), (1, 0, 3, 2, 3), (2, 2, 3, 0, 1)]
    covered = {(r, c): o for o, t, b, le, ri in found for r in range(t, b) for c in range(le, ri)}
    assert covered == {(r, c): cells[r][c] for r in range(3) for c in range(3)}
