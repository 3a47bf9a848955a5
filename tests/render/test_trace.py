from __future__ import annotations

from typing import TYPE_CHECKING, Any

import pytest
from rich.console import Console

from tests import traces
from tests.render.painted import PaintedScreen
from triton_path.course.gpus import GpuTable, load_gpus
from triton_path.jobs.trace import Ran, TooLarge
from triton_path.jobs.watch import Value
from triton_path.paths import content_dir
from triton_path.render import trace_words
from triton_path.render.trace import alike, report_parts
from triton_path.render.trace_faults import excerpt, in_short, verdict
from triton_path.render.trace_roofline import roofline_line
from triton_path.screens import trace as screen
from triton_path.screens.window import Window
from triton_path.terminal.console import to_lines
from triton_path.tutor.trace_words import too_large_text

if TYPE_CHECKING:
    from rich.console import RenderableType

    from triton_path.jobs.trace import TraceReport


@pytest.fixture(scope="module")
def table() -> GpuTable:
    return load_gpus(content_dir())


def text_of(part: RenderableType, width: int = 80) -> str:
    console = Console(width=width, no_color=True, color_system=None, markup=False, highlight=False)
    return "\n".join(line.rstrip() for line in to_lines(console, part, width))


def printed(report: TraceReport, width: int = 80, **named: Any) -> str:
    parts = report_parts(report, {}, width, **named)
    return "\n".join(text_of(part.renderable, width) for part in parts)


@pytest.mark.parametrize(
    ("changes", "argument", "words"),
    [
        ({}, {}, []),
        ({"sector_efficiency": 0.25, "stride": 4}, {}, ["stride 4 elements"]),
        ({"sector_efficiency": 0.125}, {}, ["uncoalesced: a sector of 32 B for each 4 B"]),
        (
            {"sector_efficiency": 0.0625},
            {"dtype": "float16"},
            ["uncoalesced: a sector of 32 B for each 2 B"],
        ),
        ({"sector_efficiency": 0.4}, {}, ["irregular lanes, partly used sectors"]),
        ({"sector_efficiency": 0.4, "stride": 1}, {}, ["partly used sectors"]),
        ({"sector_efficiency": 0.25, "stride": -4}, {}, ["stride 4 elements"]),
        (
            {"sector_efficiency": 0.125, "stride": 48},
            {},
            ["stride 48 elements, uncoalesced: a sector of 32 B for each 4 B"],
        ),
        (
            {"sector_efficiency": 0.42, "lanes": 16, "active_lanes": 14},
            {},
            ["a block has 16 B, a sector 32 B"],
        ),
        (
            {"sector_efficiency": 0.25, "lanes": 16, "active_lanes": 16, "stride": 2},
            {},
            ["stride 2 elements"],
        ),
        ({"sector_efficiency": 0.125, "active_lanes": 4}, {}, ["mask off in 97 % of lanes"]),
        ({"sector_efficiency": None}, {"redundancy": 3.0}, ["each element read 3 times"]),
        ({"access": "store"}, {"redundancy": 3.0}, []),
    ],
)
def test_what_stands_out_at_a_line(
    changes: dict[str, Any], argument: dict[str, Any], words: list[str]
) -> None:
    line = traces.line(**changes)
    launch = traces.launch(arguments=(traces.argument("x_ptr", **argument),), lines=(line,))
    assert trace_words.notes_of(line, launch) == words


def test_several_loads_of_one_argument_are_counted_together() -> None:
    lines = (traces.line(), traces.line(place=traces.place(10)))
    launch = traces.launch(arguments=(traces.argument("x_ptr", redundancy=2.02),), lines=lines)
    assert trace_words.notes_of(lines[0], launch) == ["x_ptr read twice"]


def test_two_accesses_of_one_line_are_told_apart(table: GpuTable) -> None:
    lines = (traces.line(), traces.line(place=traces.place(column=0, end=7), access="store"))
    no_columns = traces.place(12).model_copy(update={"column": None})
    lines += (traces.line(place=no_columns), traces.line(place=no_columns, sectors=None,
              sector_efficiency=None))  # fmt: skip
    text = printed(traces.report(traces.watched(traces.launch(lines=lines)), table))
    assert "    9 tl.load(x_ptr + i) " in text
    assert "    9     a = " in text
    assert "a = tl.load(x_ptr + i)  (load x_ptr)" in text


def test_sizes_and_names() -> None:
    assert [trace_words.bytes_text(n) for n in (999, 1200, 98_304, 5e6)] == [
        "999 B", "1.2 KB", "98.3 KB", "5 MB",
    ]  # fmt: skip
    assert trace_words.flops_text(4_194_304) == "4.19 MFLOP"
    names = ("float32", "bfloat16", "int64", "bool", "float8_e5m2")
    assert [trace_words.dtype_text(n) for n in names] == ["fp32", "bf16", "i64", "bool", names[-1]]
    assert [trace_words.itemsize(n) for n in names] == [4, 2, 8, 1, 1]
    across = traces.argument("x", shape=(3, 4), strides=(8, 1))
    assert trace_words.argument_text(across) == "x fp32[3, 4] strides (8, 1)"


def test_the_failing_expression_is_marked() -> None:
    sources = {"/k/add.py": ("",) * 7 + ("    i = tl.arange(0, 8)", traces.SOURCE)}
    assert text_of(excerpt(traces.place(), sources)) == (
        "      8 │ i = tl.arange(0, 8)\n"
        "      9 │ a = tl.load(x_ptr + i)\n"
        "        │     ╰─────────────────"
    )
    assert "8 │" not in text_of(excerpt(traces.place(), {"/k/add.py": ("changed",) * 9}))
    no_columns = traces.place().model_copy(update={"column": None, "end_column": None})
    assert "╰" not in text_of(excerpt(no_columns, {}))


def test_a_verdict_says_where_what_why_and_what_to_try() -> None:
    fault = traces.fault(
        times=3, others=(traces.place(11, "tl.store(o)"),), calls=(traces.place(20, "help(x)"),)
    )
    text = text_of(verdict(fault, {}))
    for words in (
        "✗ Load out of bounds", "add.py:9", "called from add.py:20  help(x)",
        "and add.py:11  tl.store(o)", "program (3, 0, 0) of grid (4, 1, 1)",
        "It reads `x`[5]. (3 times in all.)", "A GPU reads", "Try: Give it a mask.",
    ):  # fmt: skip
        assert words in text
    short = text_of(in_short(traces.fault(kind="depends-on-masked-lanes", severity="advice")))
    assert short.splitlines()[0].startswith(" ! The result depends on masked lanes (advice)")
    assert "Try" not in short


def test_a_whole_report_fits_its_width(table: GpuTable) -> None:
    faults = (traces.fault(), traces.fault(kind="never-written", place=None))
    ran = Ran(printed=("a\x1b[31mb",), printed_lines=30, raised="ValueError", stopped=True)
    watch = traces.watched(traces.launch(notes=("autotune: ran the first",)), faults=faults)
    report = traces.report(watch, table, ran=ran, stopped_launch=0, faults_elsewhere=2)
    for width in (60, 80):
        text = printed(report, width)
        assert max(map(len, text.splitlines())) <= width
        assert "\x1b" not in text
        for words in ("800 B moved", "autotune", "╰ ✗ Load out of bounds", "ab", "ValueError",
                      "Nothing is measured", "2 faults of other kernels"):  # fmt: skip
            assert words in " ".join(text.split())
    assert "stopped there: later" in printed(report)


def test_launches_that_did_the_same_are_shown_once(table: GpuTable) -> None:
    bare = traces.launch(ownership=())
    launches = [traces.launch(), bare, traces.launch(grid=(8, 1, 1)), bare]
    assert alike(launches) == [(0, 3), (2, 1)]
    report = traces.report(traces.watched(*launches), table)
    assert "3 launches alike" in printed(report)
    many = [traces.launch(grid=(n, 1, 1)) for n in range(1, 12)]
    assert "3 more different launches" in printed(traces.report(traces.watched(*many), table))


def test_a_quick_look_claims_less(table: GpuTable) -> None:
    watch = traces.watched(traces.launch())
    assert "masked lanes" in printed(traces.report(watch, table))
    quick = printed(traces.report(watch, table, everything=False))
    assert "nothing wrong found at these sizes" in quick
    assert "masked lanes" not in quick


def test_the_roofline_says_what_it_leaves_out(table: GpuTable) -> None:
    def said(**changes: Any) -> str:
        half = traces.argument("x_ptr", dtype="float16", unique_loaded_bytes=100)
        watch = traces.watched(traces.launch(arguments=(half,), **changes))
        return roofline_line(traces.report(watch, table), 0).plain

    assert "other operations are not counted" in said()
    assert "memory-bound on every GPU listed that has a bf16 rate" in said(dot_flops=100)
    assert "if caches serve every repetition 1" in said(dot_flops=100)
    assert "the caches decide: the limit is 206" in said(dot_flops=50_000)
    assert "compute-bound on H200" in said(dot_flops=10**6)
    assert "memory-bound on H200 (below 206)" in said(dot_flops=18_000)


def test_keys_step_through_programs_and_pages(table: GpuTable) -> None:
    report = traces.report(traces.watched(traces.launch(), faults=(traces.fault(),)), table)
    keys = ["n", "n", "a", "p", " ", "end", "b", "home", "q"]
    painted = PaintedScreen(80, 24, keys)
    screen._read(Window(painted), report, {}, None)  # type: ignore[arg-type]
    tops = [frame[0] for frame in painted.frames]
    assert "✗ 1 fault · page 1 of 2" in tops[0]
    programs = ["program 0" in tops[1], "program 1" in tops[2], "program" in tops[3]]
    assert programs == [True, True, False]
    assert "program 3" in tops[4]
    assert ["of 2" in top and top.split("page ")[1][0] for top in tops[5:]] == ["2", "2", "1", "1"]
    assert "# = program 1: elements 25..49" in "\n".join(painted.frames[2])
    assert "space next · b back · n p step programs" in painted.frames[0][-1]


def test_the_next_page_after_the_last_stays_or_leaves(table: GpuTable) -> None:
    report = traces.report(traces.watched(traces.launch()), table)
    painted = PaintedScreen(80, 60, [" ", "resize", "escape"])
    screen._read(Window(painted), report, {}, 2)  # type: ignore[arg-type]
    assert len(painted.frames) == 3
    assert screen.step(None, -1, range(4)) == 3
    assert screen.step(3, 1, range(4)) == 0


def test_steps_go_to_programs_that_ran() -> None:
    part = traces.launch(grid=(100, 1, 1), extrapolated=traces.extrapolation(ids=(0, 7, 99)))
    assert list(screen.programs_of([part])) == [0, 7, 99]
    assert list(screen.programs_of([part, traces.launch()])) == [0, 1, 2, 3, 7, 99]
    assert list(screen.programs_of([])) == [0]
    assert [screen.step(7, by, [0, 7, 99]) for by in (1, -1)] == [99, 0]
    assert [screen.step(50, by, [0, 7, 99]) for by in (1, -1)] == [99, 7]
    assert [screen.step(100, by, [0, 7, 99]) for by in (1, -1)] == [0, 99]


def test_what_is_extrapolated_is_marked_everywhere(table: GpuTable) -> None:
    whole = traces.extrapolation(ids=(0, 7, 99), dot_flops=10**9)
    launch = traces.launch(grid=(100, 1, 1), programs=3, dot_flops=3000, extrapolated=whole)
    report = traces.report(traces.watched(launch), table, ran=Ran(raised="AssertionError"))
    for width in (60, 80):
        text = printed(report, width)
        assert max(map(len, text.splitlines())) <= width
    for words in ("~40 KB moved", "counted in 3 of 100 programs, more take too long", "~20 KB",
                  "~1 GFLOP", "over ~40 KB", "in the programs that ran (bounds, races, 32-bit",
                  "what it raised may follow from"):  # fmt: skip
        assert words in " ".join(text.split()), words
    assert "1x" not in text  # how often all programs read an element is not known
    assert not report.wrong
    asked = launch.model_copy(update={"extrapolated": whole.model_copy(
        update={"chosen": "by request"})})  # fmt: skip
    assert "too long" not in printed(traces.report(traces.watched(asked), table))


def test_a_program_that_is_in_no_picture_is_told(table: GpuTable) -> None:
    def said(program: int, **changes: Any) -> str:
        report = traces.report(traces.watched(traces.launch(**changes)), table)
        return printed(report, program=program)

    part = {"grid": (100, 1, 1), "extrapolated": traces.extrapolation(ids=(0, 7, 99))}
    assert "program 3 did not run" in said(3, **part)
    assert "there is no program 9 in this grid" in said(9)
    assert "program 2 touched nothing before" in said(2, ownership=())
    assert "touched" not in said(2)


def test_values_and_the_fault_that_stopped_stand_above_the_pictures(table: GpuTable) -> None:
    values = [("n", "100", False), ("B", "32", True), ("ACT", "'relu'", True)]
    launch = traces.launch(
        stopped_by=1, values=[Value(name=n, text=t, constant=c) for n, t, c in values]
    )
    faults = (traces.fault(kind="read-write-race"), traces.fault())
    report = traces.report(traces.watched(launch, faults=faults), table, stopped_launch=0)
    text = printed(report)
    assert "   n=100 · constexpr B=32, ACT='relu'\n" in text
    assert "✗ stopped in program 3 at line 9 (Load out of bounds): counted up to" in text


def test_memory_that_did_not_suffice_is_told(table: GpuTable) -> None:
    large = TooLarge(bytes_asked=1 << 36, bytes_allowed=1 << 33, line=7, source="x = zeros()")
    report = traces.report(traces.watched(traces.launch()), table, ran=Ran(too_large=large))
    text = " ".join(printed(report).split())
    assert "add.py:7 asks for 68.7 GB: x = zeros()" in text
    assert "a file has 8.6 GB for everything" in text
    assert not report.wrong
    unknown = TooLarge(bytes_asked=None, bytes_allowed=None, line=None)
    assert too_large_text(unknown, "a.py") == "a.py asks for more memory than there is"
