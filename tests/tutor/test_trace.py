from __future__ import annotations

import importlib.util
from pathlib import Path
from typing import Any

import pytest

from tests import traces
from triton_path.course.gpus import GpuTable, load_gpus
from triton_path.errors import MissingFault, TutorError, UsageFault
from triton_path.jobs.trace import Ran, TraceAnswer, TraceJob
from triton_path.paths import content_dir
from triton_path.sandbox import WorkerFault
from triton_path.tutor import trace as tutor
from triton_path.tutor.roofline import ridge_of, roofline
from triton_path.tutor.trace_options import (
    ByHand,
    Request,
    parse_grid,
    parse_program,
    parse_programs,
    parse_request,
    parse_where,
)
from triton_path.tutor.trace_plot import parse_plot


@pytest.fixture(scope="module")
def table() -> GpuTable:
    return load_gpus(content_dir())


@pytest.fixture
def file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    monkeypatch.chdir(tmp_path)
    path = tmp_path / "add.py"
    path.write_text("def add(): ...\n")
    return path


@pytest.fixture
def request_for(file: Path, table: GpuTable) -> Request:
    return parse_request(
        "add.py", kernel=None, everything=True, target="h200", program=None, table=table
    )


def answered(monkeypatch: pytest.MonkeyPatch, answer: TraceAnswer) -> list[TraceJob]:
    jobs: list[TraceJob] = []

    def run_job(job: TraceJob, *_: object, interpret: bool, **__: object) -> TraceAnswer:
        assert interpret
        jobs.append(job)
        return answer

    monkeypatch.setattr(tutor, "run_job", run_job)
    return jobs


def ask(request: Request, **changes: object) -> Request:
    return Request(**{**vars(request), **changes})  # type: ignore[arg-type]


def test_a_function_stands_after_a_colon_and_may_be_left_out(file: Path) -> None:
    assert parse_where("add.py") == (file, None)
    assert parse_where(f"{file}:main") == (file, "main")
    assert parse_where("add.py:") == (file, None)
    with pytest.raises(UsageFault, match="'1x' is no name"):
        parse_where("add.py:1x")


@pytest.mark.parametrize(
    ("content", "words"),
    [
        (b"x = '\xe9'", "not UTF-8: line 1 has the byte 0xe9"),
        (b"\nx = (", r"not Python: line 2: '\(' was never closed"),
        (b"\x00", "not Python"),
    ],
)
def test_a_file_that_is_no_python_is_refused_at_once(
    file: Path, content: bytes, words: str
) -> None:
    file.write_bytes(content)
    with pytest.raises(UsageFault, match=words):
        parse_where("add.py")


def test_a_missing_file_gets_the_nearest_one_and_a_folder_is_none(file: Path) -> None:
    with pytest.raises(UsageFault, match=r"Did you mean 'add\.py'"):
        parse_where("ad.py")
    with pytest.raises(UsageFault, match="folder"):
        parse_where(".")


def test_a_program_is_its_position_in_the_grid() -> None:
    assert parse_program("12") == 12
    for text in ("-1", "x", "", "1" * 11):
        with pytest.raises(UsageFault, match="is no program"):
            parse_program(text)


def test_the_job_says_what_was_asked(request_for: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    jobs = answered(monkeypatch, traces.answer(traces.watched(traces.launch())))
    tutor.run_trace(ask(request_for, function="main", everything=False), print)
    assert (jobs[0].function, jobs[0].everything, jobs[0].capability) == ("main", False, "9.0")


def test_a_kernel_has_its_own_launches_and_faults(
    request_for: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    mine, other = traces.launch(kernel="mine"), traces.launch(kernel="other")
    faults = (traces.fault(kernel="other"), traces.fault(kernel="mine", launch=1))
    mine = mine.model_copy(update={"stopped_by": 1})
    watch = traces.watched(other, mine, faults=faults)
    answered(monkeypatch, traces.answer(watch, Ran(stopped=True), kernels=("mine", "other")))
    report = tutor.run_trace(ask(request_for, kernel="mine"), print)
    assert [launch.kernel for launch in report.watch.launches] == ["mine"]
    assert [(f.kernel, f.launch) for f in report.watch.faults] == [("mine", 0)]
    assert (report.stopped_launch, report.faults_elsewhere, report.wrong) == (0, 1, True)
    assert report.watch.launches[0].stopped_by == 0
    report = tutor.run_trace(ask(request_for, kernel="other"), print)
    assert report.stopped_launch is None
    with pytest.raises(UsageFault, match="Did you mean 'mine'"):
        tutor.run_trace(ask(request_for, kernel="min"), print)


def test_advice_and_refused_times_are_no_faults(
    request_for: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    mild = (
        traces.fault(kind="depends-on-masked-lanes", severity="advice"),
        traces.fault(kind="timing-refused", launch=-1),
    )
    answered(monkeypatch, traces.answer(traces.watched(traces.launch(), faults=mild)))
    assert not tutor.run_trace(request_for, print).wrong
    raised = traces.answer(traces.watched(traces.launch()), Ran(raised="ValueError"))
    answered(monkeypatch, raised)
    assert tutor.run_trace(request_for, print).wrong


@pytest.mark.parametrize(
    ("changes", "ran", "words", "hint"),
    [
        ({}, {}, "add.py came to its end and launched no kernel", "trace add.py:main"),
        ({"functions": ()}, {}, "Launch one in it, or give the arg", "add.py:add --arg"),
        ({"kernels": ()}, {}, "no @triton.jit function either", ""),
        ({}, {"raised": "ValueError: x"}, "raised before it launched.*ValueError: x", "mend it"),
        ({}, {"out_of_time": True}, "still ran after 60 s", "smaller sizes"),
        ({"trouble": "no such function"}, {}, "no function 'man'. Did you mean 'main'", "main"),
        ({"trouble": "is a kernel"}, {}, "man is a kernel", "--kernel man"),
        ({"trouble": "needs arguments"}, {}, "man needs arguments", "add.py:main"),
        ({"trouble": "no such kernel"}, {}, "no kernel 'ad'. Did you mean 'add'", "--grid 8"),
        ({"trouble": "which kernel"}, {}, "several kernels: add, unused", "add.py:add --arg x="),
        ({"trouble": "which kernel", "kernels": ()}, {}, "add.py has no kernel", "KERNEL"),
        ({"trouble": "wrong arguments", "detail": "Not so."}, {}, "Not so", "add.py:ad --arg"),
        (
            {},
            {"too_large": {"bytes_asked": 1 << 36, "bytes_allowed": None, "line": 3}},
            "add.py:3 asks for 68.7 GB",
            "add.py:add --arg",
        ),
    ],
)
def test_a_file_that_launches_nothing_is_told_what_to_type(
    request_for: Request,
    monkeypatch: pytest.MonkeyPatch,
    changes: dict[str, object],
    ran: dict[str, object],
    words: str,
    hint: str,
) -> None:
    answered(monkeypatch, traces.answer(traces.watched(), Ran(**ran), **changes))  # type: ignore[arg-type]
    with pytest.raises(TutorError, match=f"(?s){words}") as caught:
        tutor.run_trace(ask(request_for, function="man", kernel="ad"), print)
    assert caught.match(f"(?s){words}")
    assert hint.replace("\\", "") in (caught.value.hint or "")


def test_a_script_is_run_instead_of_the_file_and_not_named(
    request_for: Request, file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    script = file.with_name("add_case.py")
    request = ask(request_for, script=script)
    jobs = answered(monkeypatch, traces.answer(traces.watched(traces.launch())))
    assert tutor.run_trace(request, print).file == str(file)
    assert jobs[0].path == str(script)
    ran = Ran(raised="Traceback\n  add_case.py, line 6\nValueError: x")
    answered(monkeypatch, traces.answer(traces.watched(), ran))
    with pytest.raises(TutorError, match=r"add\.py raised .* kernel: ValueError: x$") as caught:
        tutor.run_trace(request, print)
    assert caught.value.hint == "triton-path practice check add.py"
    answered(monkeypatch, traces.answer(traces.watched(), functions=("run",)))
    with pytest.raises(UsageFault, match=r"add\.py came to its end and launched no") as caught:
        tutor.run_trace(request, print)
    assert "add.py:add --arg" in (caught.value.hint or "")


def test_kernels_and_programs_that_are_not_there(
    request_for: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    answered(monkeypatch, traces.answer(traces.watched(traces.launch()), Ran(stopped=True)))
    with pytest.raises(UsageFault, match=r"unused was not launched; launched: add\. The file was"):
        tutor.run_trace(ask(request_for, kernel="unused"), print)
    with pytest.raises(UsageFault, match="no program 4: the largest grid has 4"):
        tutor.run_trace(ask(request_for, program=4), print)


def test_programs_asked_for_must_be_in_some_grid(
    request_for: Request, monkeypatch: pytest.MonkeyPatch
) -> None:
    jobs = answered(monkeypatch, traces.answer(traces.watched(traces.launch(programs=0))))
    with pytest.raises(UsageFault, match="None of the programs asked for is in a grid"):
        tutor.run_trace(ask(request_for, programs=(9,)), print)
    assert jobs[0].programs == (9,)


def request_of(where: str, table: GpuTable, **changes: Any) -> Request:
    given: dict[str, Any] = {
        "kernel": None, "everything": True, "target": "h200", "program": None, **changes
    }  # fmt: skip
    return parse_request(where, table=table, **given)


def test_a_launch_by_hand(file: Path, table: GpuTable) -> None:
    hand = ByHand(["x=bf16[16384x4096]", "n=4096"], ["BLOCK=128", "ACT=relu"], "32, 4")
    for request in (
        request_of("add.py:add", table, hand=hand),
        request_of("add.py", table, kernel="add", hand=hand),
    ):
        assert (request.function, request.kernel) == (None, "add")
        launch = request.by_hand
        assert launch is not None
        assert (launch.kernel, launch.grid) == ("add", (32, 4))
        assert launch.arguments[0].shape == (16384, 4096)
        assert launch.constants == {"BLOCK": 128, "ACT": "relu"}
    assert request_of("add.py", table, hand=ByHand()).by_hand is None
    with pytest.raises(UsageFault, match="also needs its grid"):
        request_of("add.py:add", table, hand=ByHand(["n=1"]))
    with pytest.raises(UsageFault, match="Two kernels are named"):
        request_of("add.py:add", table, kernel="sub", hand=hand)


def test_grids_and_programs() -> None:
    assert [parse_grid(text) for text in ("32", "(3, 4)", "2x3x4")] == [(32,), (3, 4), (2, 3, 4)]
    for text in ("", "0", "1,2,3,4", "n", "-1"):
        with pytest.raises(UsageFault, match="is no grid"):
            parse_grid(text)
    assert parse_programs("0, 1,-1") == (0, 1, -1)
    for text in ("", "1,", "a", "1-3"):
        with pytest.raises(UsageFault, match="are no programs"):
            parse_programs(text)


def test_a_figure_that_cannot_be_is_refused_before_anything_runs(
    file: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: True)
    assert parse_plot("a.PNG") == Path("a.PNG")
    (file.parent / "b.svg").mkdir()
    for text, words in (
        ("a.pdf", "neither PNG nor SVG"), ("a", "neither"), ("b.svg", "is a folder"),
        ("no/where.png", "'no', which is no folder"),
    ):  # fmt: skip
        with pytest.raises(UsageFault, match=words):
            parse_plot(text)
    monkeypatch.setattr("os.access", lambda *_: False)
    with pytest.raises(MissingFault, match="no permission"):
        parse_plot("a.svg")
    monkeypatch.undo()
    monkeypatch.chdir(file.parent)
    monkeypatch.setattr(importlib.util, "find_spec", lambda _: None)
    with pytest.raises(MissingFault, match="needs matplotlib") as caught:
        parse_plot("a.png")
    assert caught.value.hint == "pip install 'triton-path[plot]'"


def test_a_crash_says_what_to_try(request_for: Request, monkeypatch: pytest.MonkeyPatch) -> None:
    def crash(*_: object, **__: object) -> None:
        raise WorkerFault("The worker process was ended by SIGSEGV.")

    monkeypatch.setattr(tutor, "run_job", crash)
    with pytest.raises(WorkerFault, match="SIGSEGV") as caught:
        tutor.run_trace(request_for, print)
    assert caught.value.hint


def test_the_roofline_of_a_dot(table: GpuTable) -> None:
    half = {"dtype": "float16", "loaded_bytes": 1000, "unique_loaded_bytes": 250}
    a = traces.argument("a", **half)
    gpu = table.find("h200")
    few = roofline(0, traces.launch(arguments=(a,), dot_flops=20_000), gpu, table)
    assert (few.intensity, few.intensity_once, few.rate) == (20, 80, "bf16")
    assert few.ridge == pytest.approx(989e3 / 4800)
    assert (few.bound, few.everywhere) == ("memory", few.lowest_ridge > 80)
    some = roofline(0, traces.launch(arguments=(a,), dot_flops=100_000), gpu, table)
    assert (some.bound, some.everywhere) == ("caches decide", False)
    many = roofline(0, traces.launch(arguments=(a,), dot_flops=10_000_000), gpu, table)
    assert many.bound == "compute"
    t4 = roofline(0, traces.launch(arguments=(a,), dot_flops=20_000), table.find("t4"), table)
    assert (t4.rate, t4.ridge) == ("fp32", pytest.approx(8.1e3 / 320))
    assert "matrix units" in t4.note


def test_the_roofline_of_a_launch_that_ran_in_part(table: GpuTable) -> None:
    whole = traces.extrapolation(ids=(0, 99), dot_flops=40_000)
    launch = traces.launch(grid=(100, 1, 1), dot_flops=20, extrapolated=whole)
    roof = roofline(0, launch, table.find("h200"), table)
    assert roof.extrapolated
    assert (roof.dot_flops, roof.bytes_asked, roof.bytes_once) == (40_000, 40_000, 800)
    assert (roof.intensity, roof.intensity_once) == (1, 50)


def test_the_lowest_ridge_is_of_the_whole_table(table: GpuTable) -> None:
    roof = roofline(0, traces.launch(), table.find("h200"), table)
    assert (roof.bound, roof.intensity) == ("no dot", None)
    assert roof.lowest_ridge == min(ridge_of(gpu, "fp32") or 0 for gpu in table.gpus)


def test_dtypes_without_a_rate_are_named(table: GpuTable) -> None:
    gpu = table.find("h200")
    single = traces.launch(dot_flops=1)
    assert "TF32" in roofline(0, single, gpu, table).note
    eight = traces.launch(dot_flops=1, arguments=(traces.argument("a", dtype="int8"),))
    assert "int8" in roofline(0, eight, gpu, table).note
