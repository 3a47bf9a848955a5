"""Launches of which only some programs run: what is extrapolated, and what must not be said."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

from math import prod
from typing import TYPE_CHECKING

import pytest
import torch
import triton
import triton.language as tl

from tests.worker.watch.speed_kernels import matmul
from tests.worker.watch.test_counts import copy_every
from triton_path.worker.watch import WatchOptions, watch
from triton_path.worker.watch import schedule as scheduling
from triton_path.worker.watch.sampling import class_of, sample, weights

if TYPE_CHECKING:
    from triton_path.jobs.watch import Extrapolation, LaunchReport, WatchReport

GRIDS = [(1, 1, 1), (100, 1, 1), (100_000, 1, 1), (50, 70, 1), (1, 1, 90), (20, 30, 40), (2, 2, 1)]


@pytest.mark.parametrize("grid", GRIDS)
@pytest.mark.parametrize("most", [4, 32, 256])
def test_a_sample_has_every_end_and_weighs_as_much_as_the_grid(
    grid: tuple[int, int, int], most: int
) -> None:
    chosen = sample(grid, most)
    assert len(set(chosen)) == len(chosen) <= most + 4 * 8 + 3 * 8
    assert all(0 <= n < size for p in chosen for n, size in zip(p, grid, strict=True))
    assert (0, 0, 0) in chosen
    assert tuple(size - 1 for size in grid) in chosen[:2]
    assert len({class_of(p, grid) for p in chosen}) == 2 ** sum(size > 1 for size in grid)
    assert sum(weights(chosen, grid)) == pytest.approx(prod(grid))


def test_work_that_grows_along_an_axis_is_estimated_well() -> None:
    grid = (60, 80, 1)
    for work in (lambda x, y: y, lambda x, y: x, lambda x, y: 5 + 2 * x + 3 * y):
        whole = sum(work(x, y) for x in range(60) for y in range(80))
        chosen = sample(grid, 64)
        found = sum(
            w * work(p[0], p[1]) for w, p in zip(weights(chosen, grid), chosen, strict=True)
        )
        assert found == pytest.approx(whole, rel=0.03)


def test_each_prefix_of_a_sample_is_spread() -> None:
    inner = [p[0] for p in sample((1002, 1, 1), 64) if p[0] < 1001]
    assert inner[:4] == [0, 508, 254, 762]


def test_weights_do_not_depend_on_order_and_missing_classes_are_shared_out() -> None:
    grid = (100, 100, 1)
    programs = [(0, 0, 0), (50, 50, 0), (99, 99, 0)]
    known = dict(zip(programs, weights(programs, grid), strict=True))
    programs.reverse()
    assert dict(zip(programs, weights(programs, grid), strict=True)) == pytest.approx(known)
    assert sum(known.values()) == pytest.approx(10_000)
    assert weights([(3, 4, 0)], grid) == pytest.approx([10_000])


def launched(report: WatchReport) -> tuple[LaunchReport, Extrapolation]:
    (launch,) = report.launches
    assert launch.extrapolated is not None
    return launch, launch.extrapolated


def test_programs_by_request() -> None:
    x, out = torch.zeros(1000), torch.empty(1000)
    options = WatchOptions.everything(programs=(0, 5, -1, 99, 0))
    with watch(options) as watched:
        copy_every[(32,)](x, out, 1, 1000, BLOCK=32)
    assert watched.report.faults == ()  # `out` has holes, which nobody is to blame for
    launch, whole = launched(watched.report)
    assert (launch.programs, whole.programs, whole.grid_programs) == (3, 3, 32)
    assert (whole.ids, whole.chosen) == ((0, 5, 31), "by request")
    assert launch.arguments[0].loaded_bytes == (32 + 32 + 8) * 4
    assert whole.arguments[0].loaded_bytes == whole.arguments[1].stored_bytes == 4000
    assert [line.bytes_used for line in whole.lines] == [4000, 4000]
    assert [line.sectors for line in whole.lines] == [125, 125]


def test_all_programs_by_request_are_no_part() -> None:
    with watch(WatchOptions.everything(programs=(1, 0))) as watched:
        copy_every[(2,)](torch.zeros(60), torch.empty(60), 1, 60, BLOCK=32)
    assert watched.report.launches[0].extrapolated is None


def test_a_ragged_matmul_is_extrapolated_exactly() -> None:
    a, b, c = torch.zeros(300, 64), torch.zeros(64, 420), torch.empty(300, 420)
    # Of the inside, both edges and the corner.
    chosen = (0, 9, 10 * 13, 10 * 14 - 1)
    with watch(WatchOptions.everything()) as everything:
        matmul[(10, 14)](a, b, c, 300, 420, 64, TILE=32)
    with watch(WatchOptions.everything(programs=chosen)) as part:
        matmul[(10, 14)](a, b, c, 300, 420, 64, TILE=32)
    (exact,) = everything.report.launches
    _, whole = launched(part.report)
    assert whole.dot_flops == exact.dot_flops
    for estimate, argument in zip(whole.arguments, exact.arguments, strict=True):
        assert estimate.loaded_bytes == argument.loaded_bytes
        assert estimate.stored_bytes == argument.stored_bytes


def test_a_grid_that_takes_too_long_is_sampled(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(scheduling, "MOST_SAMPLED", 20)
    x = torch.zeros(64_000)
    with watch(WatchOptions.everything(budget_s=0.05)) as watched:
        out = torch.empty(64_000)
        copy_every[(2000,)](x, out, 1, 64_000, BLOCK=32)
    launch, whole = launched(watched.report)
    assert watched.report.faults == ()
    assert whole.chosen == "for time"
    assert scheduling.PILOTS < launch.programs < 40
    assert set(range(scheduling.PILOTS)) | {1999} <= set(whole.ids)
    assert whole.arguments[0].loaded_bytes == 256_000
    owned = launch.ownership[0]
    assert owned.sampled
    assert (owned.cells[0][0], owned.cells[0][5]) == (2, -1)
    assert owned.cells[0][-1] in (1998, 1999)
    assert {0, 1999} <= set(owned.tiles)
    assert out.isfinite().all()  # holes hold zeros


def test_a_huge_grid_is_never_listed() -> None:
    x = torch.empty(1 << 30, device="meta")
    with watch(WatchOptions.everything(budget_s=0.1)) as watched:
        copy_every[(1 << 25,)](x, torch.empty(1 << 30, device="meta"), 1, 1 << 30, BLOCK=32)
    launch, whole = launched(watched.report)
    assert whole.arguments[1].stored_bytes == 4 << 30
    assert "shape alone, no storage" in launch.notes[0]


def test_a_fast_grid_runs_whole_under_a_budget() -> None:
    with watch(WatchOptions.everything(budget_s=30.0)) as watched:
        copy_every[(12,)](torch.zeros(384), torch.empty(384), 1, 384, BLOCK=32)
    assert watched.report.launches[0].extrapolated is None
    assert watched.report.launches[0].programs == 12


@triton.jit
def chain(flags, out):
    pid = tl.program_id(0)
    if pid > 0:
        while tl.atomic_add(flags + pid - 1, 0) == 0:
            pass
    tl.store(out + pid, pid)
    tl.atomic_xchg(flags + pid, 1)


def test_waiting_for_a_program_that_was_not_run_is_no_fault() -> None:
    with watch(WatchOptions.everything(programs=(0, 5))) as watched:
        chain[(8,)](torch.zeros(8, dtype=torch.int32), torch.empty(8))
    assert watched.report.faults == ()
    assert "program 5 waits for another one" in watched.report.launches[0].notes[0]


def test_a_later_launch_reads_zeros_and_is_told() -> None:
    middle = torch.empty(320)
    with watch(WatchOptions.everything(programs=(0,))) as watched:
        middle = torch.empty(320)
        copy_every[(10,)](torch.ones(320), middle, 1, 320, BLOCK=32)
        copy_every[(10,)](middle, torch.empty(320), 1, 320, BLOCK=32)
    assert watched.report.faults == ()
    assert (middle[:32] == 1).all()
    assert (middle[32:] == 0).all()
    assert "what copy_every left" in watched.report.launches[1].notes[0]


@triton.jit
def past_the_end(x, out, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes))


def test_a_fault_of_the_last_program_is_found_in_a_sample() -> None:
    with watch(WatchOptions.everything(budget_s=0.02)) as watched:
        past_the_end[(3000,)](torch.zeros(95_990), torch.empty(96_000), BLOCK=32)
    (fault,) = watched.report.faults
    assert fault.program is not None
    assert (fault.kind, fault.program.linear) == ("out-of-bounds-load", 2999)
    assert watched.report.launches[0].stopped_by == 0
