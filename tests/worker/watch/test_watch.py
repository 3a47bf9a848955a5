"""The watch as a whole: what it leaves behind, what it reports, what it refuses to judge."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

import inspect
import signal
import sys

import pytest
import torch
import triton
import triton.language as tl

from triton_path.jobs.watch import WatchReport
from triton_path.worker.triton_private import names
from triton_path.worker.watch import KernelStopped, WatchOptions, places, selftest, watch

COLUMNS_KNOWN = sys.version_info >= (3, 11)


@triton.jit
def copy(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n, other=0.0)
    tl.store(out + lanes, values, mask=lanes < n)


@triton.jit
def read_past(x, out):
    tl.store(out, tl.load(x + 5))


def test_triton_is_as_before_afterwards() -> None:
    builder_class, call = names.builder.__class__, names.GridExecutor.__call__
    options, truth = names.builder.options, vars(tl.tensor).get("__bool__")
    with watch() as watched:
        read_past[(1,)](torch.zeros(2), torch.zeros(1))
    assert watched.report.faults
    assert names.builder.__class__ is builder_class
    assert names.GridExecutor.__call__ is call
    assert names.builder.options is options
    assert vars(tl.tensor).get("__bool__") is truth or names.VERSION.startswith("3.4")
    x, out = torch.randn(50), torch.empty(50)
    copy[(2,)](x, out, 50, BLOCK=32)
    assert torch.equal(x, out)


def test_a_report_travels_as_json() -> None:
    with watch(WatchOptions.everything()) as watched:
        copy[(2,)](torch.randn(50), torch.empty(50), 50, BLOCK=32)
        read_past[(1,)](torch.zeros(2), torch.zeros(1))
    report = watched.report
    assert not report.ok
    assert WatchReport.model_validate_json(report.model_dump_json()) == report


def test_a_fault_names_everything() -> None:
    x = torch.zeros(3, 4)
    with watch() as watched:
        read_past_rows[(1, 3)](x, torch.zeros(3, 4), 4, BLOCK=8)
    (fault,) = watched.report.faults
    assert fault.kind == "out-of-bounds-load"
    assert fault.place is not None
    assert fault.place.source.strip() == "values = tl.load(x + at)"
    if COLUMNS_KNOWN:
        marked = fault.place.source[fault.place.column : fault.place.end_column]
        assert marked == "tl.load(x + at)"
    assert fault.program is not None
    assert (fault.program.id, fault.program.grid, fault.program.linear) == ((0, 2, 0), (1, 3, 1), 2)
    lanes = fault.lanes
    assert lanes is not None
    assert (lanes.argument, lanes.shape, lanes.dtype) == ("x", (3, 4), "float32")
    assert (lanes.index, lanes.lane) == ((3, 0), (4,))
    assert (lanes.offending, lanes.active, lanes.lanes, lanes.masked) == (4, 8, 8, False)
    assert "`x`[3, 0]" in fault.sentence
    assert "no mask" in fault.sentence


@triton.jit
def read_past_rows(x, out, columns, BLOCK: tl.constexpr):
    at = tl.program_id(1) * columns + tl.arange(0, BLOCK)
    values = tl.load(x + at)
    tl.store(out + at, values, mask=at < 1)


def test_columns_of_an_indented_kernel() -> None:
    @triton.jit
    def inner(x, out):
        tl.store(out, tl.load(x + 3))

    with watch() as watched:
        inner[(1,)](torch.zeros(2), torch.zeros(1))
    place = watched.report.faults[0].place
    assert place is not None
    if COLUMNS_KNOWN:
        assert place.source[place.column : place.end_column] == "tl.load(x + 3)"


@triton.jit
def helper(pointer, at):
    return tl.load(pointer + at)


@triton.jit
def calls_helper(x, out):
    tl.store(out, helper(x, 9))


def test_calls_lead_to_the_helper() -> None:
    with watch() as watched:
        calls_helper[(1,)](torch.zeros(2), torch.zeros(1))
    (fault,) = watched.report.faults
    assert fault.place is not None
    assert fault.place.function == "helper"
    assert [call.function for call in fault.calls] == ["calls_helper"]


def test_nothing_is_written_by_a_bad_store() -> None:
    memory = torch.zeros(8)
    with watch() as watched:
        fill_six[(1,)](memory[:4])
    assert watched.report.faults[0].kind == "out-of-bounds-store"
    assert torch.equal(memory, torch.zeros(8))


@triton.jit
def fill_six(x):
    lanes = tl.arange(0, 8)
    tl.store(x + lanes, 1.0, mask=lanes < 6)


def test_a_fault_can_be_caught_by_host_code() -> None:
    with watch() as watched:
        with pytest.raises(KernelStopped, match="has shape"):
            read_past[(1,)](torch.zeros(2), torch.zeros(1))
        copy[(1,)](torch.zeros(2), torch.zeros(2), 2, BLOCK=2)
    assert [launch.kernel for launch in watched.report.launches] == ["read_past", "copy"]


def test_other_exceptions_pass() -> None:
    with pytest.raises(ZeroDivisionError), watch():
        _ = 1 / 0
    with pytest.raises(TypeError, match="missing"), watch():
        copy[(1,)](torch.zeros(2))


def test_an_earlier_alarm_rings_later() -> None:
    rung = []
    before = signal.signal(signal.SIGALRM, lambda *_: rung.append(1))
    try:
        signal.setitimer(signal.ITIMER_REAL, 0.2)
        with watch():
            copy[(1,)](torch.zeros(2), torch.zeros(2), 2, BLOCK=2)
        assert signal.getitimer(signal.ITIMER_REAL)[0] > 0 or rung
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, before)


def test_without_a_self_test_that_passes_kernels_run_unwatched(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    reason = "The self-test on Triton 9.9 missed a load out of bounds: []."
    monkeypatch.setattr(selftest, "reason_not_to_watch", lambda: reason)
    x, out = torch.randn(8), torch.empty(8)
    with watch() as watched:
        copy[(1,)](x, out, 8, BLOCK=8)
    assert torch.equal(x, out)
    assert not watched.report.watched
    assert watched.report.unwatched_reason == reason
    assert watched.report.ok


def test_a_broken_watch_is_noticed(monkeypatch: pytest.MonkeyPatch) -> None:
    from triton_path.worker.watch.memory import Region

    monkeypatch.setattr(Region, "belongs", lambda self, offsets: offsets > -100)
    selftest.reason_not_to_watch.cache_clear()
    assert "self-test" in selftest.reason_not_to_watch()
    monkeypatch.undo()
    selftest.reason_not_to_watch.cache_clear()
    assert selftest.reason_not_to_watch() == ""


def test_faults_are_counted_not_repeated() -> None:
    with watch() as watched:
        same_element[(5,)](torch.zeros(1))
    (fault,) = watched.report.faults
    assert fault.kind == "write-write-race"
    assert fault.times == 4
    assert fault.program is not None
    assert fault.other_program is not None
    assert (fault.other_program.linear, fault.program.linear) == (0, 1)


@triton.jit
def same_element(out):
    tl.store(out, tl.program_id(0).to(tl.float32))


def test_the_first_configuration_is_named() -> None:
    tuned = triton.autotune(
        configs=[triton.Config({"BLOCK": size}) for size in (16, 32)], key=["n"]
    )(copy)
    x, out = torch.randn(40), torch.empty(40)
    with watch() as watched:
        tuned[lambda meta: (triton.cdiv(40, meta["BLOCK"]),)](x, out, 40)
    assert torch.equal(x, out)
    (note,) = watched.report.launches[0].notes
    assert "first of 2" in note
    assert "BLOCK: 16" in note


def test_only_the_learners_code_is_named() -> None:
    def here() -> None:
        """Stand for a learner's function."""

    foreign = [names.TensorHandle.__init__, torch.nn.functional.relu, signal.signal, watch]
    assert places.is_learners(here.__code__)
    assert not any(places.is_learners(inspect.unwrap(each).__code__) for each in foreign)


def test_a_warm_up_gives_a_kernel_that_can_be_launched() -> None:
    x, out = torch.ones(8), torch.empty(8)
    with watch() as watched:
        warm = copy.warmup(x, out, 8, BLOCK=8, num_warps=8, grid=(1,))
        warm._init_handles()
        assert warm.n_regs * warm.metadata.num_warps * warm.metadata.shared > 0
        assert warm.result().asm["ptx"] == ""
        warm[(1,)](x, out, 8)
    assert watched.report.ok
    assert out.sum() == 8
    (launch,) = watched.report.launches
    assert "no figures of this kernel" in launch.notes[0]
    assert "warmup" not in vars(type(copy))  # as without a watch


@triton.jit
def smooth_in_place(x, n):
    at = tl.program_id(0)
    left = tl.load(x + at - 1, mask=at > 0, other=0.0)
    here = tl.load(x + at)
    right = tl.load(x + at + 1, mask=at + 1 < n, other=0.0)
    tl.store(x + at, left + here + right)


def test_a_race_names_the_line_of_its_other_side_and_no_innocent_one() -> None:
    with watch(WatchOptions()) as watched:
        smooth_in_place[(4,)](torch.randn(4), 4)
    told = {
        fault.place.source.split()[0]: [other.source.split()[0] for other in fault.others]
        for fault in watched.report.faults
        if fault.place is not None
    }
    # Programs run from left to right: the left element was stored, the own one read by `right`.
    assert told["left"] == ["tl.store(x"]
    assert told["tl.store(x"] == ["right"]
    assert "here" not in told


@triton.jit
def forgets_to_store(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    lanes = lanes + tl.load(x + lanes, mask=lanes < n, other=0.0)


@triton.jit
def stores_elsewhere(x, out, spare, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes, mask=lanes < n), mask=lanes < n)


def test_an_output_that_nothing_is_stored_to_is_told() -> None:
    with watch(WatchOptions.everything()) as watched:
        forgets_to_store[(1,)](torch.randn(10), torch.empty(10), 10, BLOCK=16)
    (fault,) = watched.report.faults
    assert fault.kind == "never-written"
    assert fault.sentence == "Nothing was stored to `out` [10]."
    assert "tl.store" in fault.remedy


def test_a_spare_tensor_is_told_only_where_the_host_reads_it() -> None:
    x, spare = torch.randn(10), torch.empty(10)
    for reads, told in ((False, []), (True, ["never-written"])):
        with watch(WatchOptions.everything()) as watched:
            out, spare = torch.empty(10), torch.empty(10)
            stores_elsewhere[(1,)](x, out, spare, 10, BLOCK=16)
            total = spare.sum() if reads else out.sum()
        assert total is not None
        assert [fault.kind for fault in watched.report.faults] == told


def test_a_tensor_that_the_host_filled_or_another_kernel_wrote_is_an_output_of_nobody() -> None:
    x, scratch = torch.randn(10), torch.empty(10)
    with watch(WatchOptions.everything()) as watched:
        filled, scratch = torch.empty(10), torch.empty(10)
        filled.fill_(2.0)
        forgets_to_store[(1,)](x, filled, 10, BLOCK=16)
        copy[(1,)](x, scratch, 10, BLOCK=16)
        forgets_to_store[(1,)](x, scratch, 10, BLOCK=16)
        assert torch.equal(x, scratch)
    assert watched.report.faults == ()
