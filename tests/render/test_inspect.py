from __future__ import annotations

import pytest
from rich.cells import cell_len

from triton_path.jobs.bench import Timing
from triton_path.jobs.inspect import (
    Access,
    Build,
    Compiled,
    Facts,
    InspectReport,
    Launch,
    LaunchArgument,
    LineCount,
    Measured,
    MeasuredBuild,
    Occupancy,
    Place,
    Rejection,
    TensorCore,
)
from triton_path.render.inspect import render_report
from triton_path.render.inspect_lines import listing, render_lines
from triton_path.terminal.console import plain_console, to_lines

WIDTHS = [80, 60]


def place(line: int, source: str) -> Place:
    return Place(file="/home/me/add.py", line=line, source=source)


LOAD = place(7, "    x = tl.load(x_ptr + row * stride + columns, mask=columns < n, other=0.0)")
CALL = place(9, "    total = helper(x)")
FACTS = Facts(
    instructions=40,
    kinds={"integer": 20, "global load": 4, "move": 16},
    registers=32,
    spill_stores=0,
    spill_loads=0,
    shared_bytes=16384,
    shared_limit=166912,
    shared_source="a table",
    accesses=(
        Access(place=LOAD, operation="load", bits=32, count=4),
        Access(place=LOAD, operation="async copy", bits=128, count=1),
        Access(place=None, operation="bulk copy", bits=0, count=2),
    ),
    tensor_cores=(TensorCore(instruction="mma.sync.aligned.m16n8k16", count=16),),
    dots=1,
    async_copies=1,
    bulk_copies=2,
    buffers=("3 x 64x32 f16", "3 x 64x32 f16"),
    barriers=5,
    occupancy=Occupancy(
        programs=9,
        warps=36,
        most_warps=64,
        limits={"warps": 16, "shared memory": 9},
        limiter="shared memory",
        formula="min(64 warps / 4, 167936 bytes / 17408)",
        source="rules: a header",
    ),
    lines=(
        LineCount(place=LOAD, function="k", kinds={"integer": 20, "global load": 4}),
        LineCount(place=CALL, function="k", kinds={"move": 16}),
        LineCount(place=place(2, "    return v"), function="helper", kinds={"move": 16}),
    ),
)
REJECTION = Rejection(
    message="Boolean value of Tensor with more than one value is ambiguous",
    hint="Choose by lane: tl.where(condition, a, b).",
    place=place(3, "    if v > 0:"),
    column=4,
    function="helper",
    called_from=(CALL,),
)


def compiled(label: str = "sm_80", **changes: object) -> Compiled:
    build = Build(label=label, target="sm_80")
    plain = {"build": build, "num_warps": 4, "num_stages": 3, "facts": FACTS}
    return Compiled.model_validate({**plain, **changes})


def report(*builds: Compiled) -> InspectReport:
    return InspectReport(
        triton="3.7.1",
        file="/home/me/add.py",
        kernel="k",
        defined=place(5, "def k():"),
        launch=Launch(
            number=1,
            of=2,
            grid=(8, 8),
            arguments=(
                LaunchArgument(name="x_ptr", text="fp32[64, 64]", specialised="16 | address"),
                LaunchArgument(name="BLOCK", text="128", specialised="constant"),
            ),
            found="by running main()",
            configurations=3,
        ),
        builds=builds,
    )


def shown(renderable: object, columns: int, monkeypatch: pytest.MonkeyPatch) -> str:
    monkeypatch.setenv("NO_COLOR", "1")
    monkeypatch.setenv("COLUMNS", str(columns))
    lines = to_lines(plain_console(), renderable, columns)  # type: ignore[arg-type]
    assert max(cell_len(line.rstrip()) for line in lines) <= columns
    return "\n".join(line.rstrip() for line in lines)


def flat(text: str) -> str:
    return " ".join(text.split())


@pytest.mark.parametrize("columns", WIDTHS)
def test_the_summary_tells_every_fact_and_how_it_was_got(columns, monkeypatch):
    text = shown(render_report(report(compiled()), "add.py:k"), columns, monkeypatch)
    for words in (
        "k add.py:5", "Triton 3.7.1", "grid 8 x 8, 4 warps, 3 stages", "found by running main()",
        "1 of 2 distinct", "first of 3 autotune", "fp32[64, 64] ÷16", "32 a thread, no spills",
        "16 KiB of 163 KiB", "56 %: 36 of 64 warps, 9 programs", "limited by shared memory",
        "min(64 warps / 4, 167936 bytes / 17408)", "rules: a header",
        "16 x mma.sync.aligned.m16n8k16", "3 x 64x32 f16 (2 times)", "5 for the whole program",
        "40 instructions: 20 integer", "4 loads of 4 bytes", "1 async copy of 16 bytes",
        "2 bulk copies of tiles", "counted", "predicted", "nothing is measured", "--lines",
    ):  # fmt: skip
        assert words in flat(text.replace("\N{NO-BREAK SPACE}", " ")), words


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_rejection_shows_its_line_the_way_to_it_and_what_to_write(columns, monkeypatch):
    built = compiled(facts=None, rejection=REJECTION, num_warps=None)
    text = shown(render_report(report(built), "add.py:k"), columns, monkeypatch)
    lines = text.splitlines()
    at = next(n for n, line in enumerate(lines) if "3 │     if v > 0:" in line)
    assert lines[at + 1].index("^") == lines[at].index("if v")
    assert "called from add.py:9" in text
    assert "tl.where(condition, a, b)" in flat(text)
    assert "counted" not in text


def test_a_kernel_that_cannot_launch_says_so(monkeypatch):
    facts = FACTS.model_copy(update={"shared_bytes": 200000})
    text = shown(render_report(report(compiled(facts=facts)), "add.py"), 80, monkeypatch)
    assert "✗ 195.3 KiB of 163 KiB a program: it will not launch" in flat(text)


def test_what_no_tool_could_tell_is_not_shown_as_nought(monkeypatch):
    unknown = {"registers": None, "spill_stores": None, "instructions": 0, "occupancy": None}
    built = compiled(facts=FACTS.model_copy(update=unknown), notes=("nvdisasm is not here.",))
    text = shown(render_report(report(built), "add.py"), 80, monkeypatch)
    assert "registers    not known" in text
    assert "code         not known" in text
    assert "nvdisasm is not here." in text


@pytest.mark.parametrize("columns", WIDTHS)
def test_a_comparison_marks_what_differs(columns, monkeypatch):
    other = FACTS.model_copy(update={"registers": 64, "kinds": {"integer": 40}})
    builds = [compiled("as launched"), compiled("num_warps=8", facts=other, num_warps=8)]
    builds += [compiled(f"BLOCK={n}", facts=other) for n in (16, 32, 64)]
    text = shown(render_report(report(*builds), "add.py"), columns, monkeypatch)
    rows = {line[2:].strip().split("  ")[0]: line for line in text.splitlines()}
    assert rows["registers"].startswith("≠")
    assert rows["barriers"].startswith(" ")
    for label in ("num_warps=8", "BLOCK=16", "BLOCK=32", "BLOCK=64"):
        assert label in text
    assert text.count("as launched") >= 1


@pytest.mark.parametrize("columns", WIDTHS)
def test_lines_stand_with_their_instructions_the_kernel_first(columns, monkeypatch):
    text = shown(render_lines(report(compiled())), columns, monkeypatch)
    assert text.index("tl.load") < text.index("return v")
    assert "20 integer, 4 global load" in text
    assert "7   24 x = tl.load" in text
    assert "counts at the line that calls it too" in flat(text)


def test_a_listing_is_plain_without_colour_and_a_difference_of_two():
    one = compiled(listing="ld.global\nret")
    assert listing(report(one), "ptx", colour=False).plain == "ld.global\nret"
    assert listing(report(one), "ptx", colour=True).plain == "ld.global\nret"
    other = compiled("num_warps=8", listing="ld.global.v4\nret")
    text = listing(report(one, other), "ptx", colour=False).plain
    assert "-ld.global\n+ld.global.v4\n ret" in text
    assert "ptx is the same" in listing(report(one, one), "ptx", colour=False).plain
    rejected = compiled("x", facts=None, rejection=REJECTION)
    assert listing(report(rejected, other), "ptx", colour=False).plain == "ld.global.v4\nret"


def timed(label: str = "as launched", us: float = 12.345, **changes: object) -> MeasuredBuild:
    chosen = LaunchArgument(name="BLOCK", text="256", specialised="constant")
    plain = {
        "label": label, "arguments": (chosen,), "num_warps": 8, "num_stages": 3, "registers": 40,
        "local_bytes": 0, "programs": 6,
        "time": Timing(value=us, unit="us", kind="measured", p20=us - 0.1, p80=us + 0.1, n=200),
    }  # fmt: skip
    return MeasuredBuild.model_validate({**plain, **changes})


def on_a_gpu(*builds: MeasuredBuild) -> InspectReport:
    found = Measured(
        device="NVIDIA H200", target="sm_90", driver="580.1", torch="2.11.0", triton="3.6.0",
        date="2026-12-01", clocks=(), builds=builds,
    )  # fmt: skip
    return report(compiled()).model_copy(update={"measured": found})


@pytest.mark.parametrize("columns", WIDTHS)
def test_what_was_measured_says_so_on_what_and_when(columns, monkeypatch):
    text = flat(shown(render_report(on_a_gpu(timed()), "add.py"), columns, monkeypatch))
    for words in (
        "measured on NVIDIA H200 (sm_90), driver 580.1, torch 2.11.0, Triton 3.6.0, 2026-12-01",
        "40 registers a thread, no local memory; 6 programs a multiprocessor, says the driver",
        "12.3 us a launch, 12.2 .. 12.4 (p20 .. p80 of 200, cold cache)",
        "the autotuner chose BLOCK 256, 8 warps, 3 stages", "what stands above is for sm_80",
        "only what says so is measured",
    ):  # fmt: skip
        assert words in text, words
    assert "nothing is measured" not in text


@pytest.mark.parametrize("columns", WIDTHS)
def test_several_builds_are_measured_side_by_side(columns, monkeypatch):
    failed = timed("num_stages=9", time=None, registers=None, programs=None, local_bytes=None,
                   note="out of resource: shared memory")  # fmt: skip
    found = on_a_gpu(timed(us=120.4), timed("num_warps=16", 1234.5, local_bytes=16), failed)
    text = shown(render_report(found, "add.py"), columns, monkeypatch)
    for words in ("120", "1234", "num_warps=16", "200", "16"):
        assert words in text
    assert "out of resource" in flat(text)


def test_a_launch_without_a_time_says_why(monkeypatch):
    found = on_a_gpu(timed(time=None, local_bytes=64, note="given by options"))
    text = flat(shown(render_report(found, "add.py"), 80, monkeypatch))
    assert "64 bytes of local memory" in text
    assert "no time: given by options" in text


def test_a_gpu_that_measured_nothing_says_why_in_one_line(monkeypatch):
    found = report(compiled()).model_copy(update={"unmeasured": "torch sees no GPU"})
    text = flat(shown(render_report(found, "add.py"), 80, monkeypatch))
    assert "measured nothing: torch sees no GPU" in text
    assert "nothing is measured" in text
