"""The path of a GPU, on one that is pretended: kernels and times are what the test says."""

from __future__ import annotations

import pytest
import torch

from triton_path.jobs.bench import COMPILED, EAGER, Device, Figure, Shape, Timing
from triton_path.worker.bench.chain import Chain, Provider
from triton_path.worker.bench.ledger import Ran
from triton_path.worker.bench.on_gpu import COPY, bench_size
from triton_path.worker.missing import MissingHere

L2 = 1000
SHAPE = Shape(rows=64, width=128)
BYTES = 64 * 128 * 4


class Pretended:
    """Says that one call of each provider takes the kernels and the time that are given."""

    device = "cpu"
    l2_bytes = L2

    def __init__(self, us, kernels, *, host=5.0):
        self.us, self.ran, self.host = {COPY: 20.0, **us}, kernels, host
        self.now = EAGER
        self.order = list(kernels)

    def wait(self):
        pass

    def time(self, runs):
        return {name: timing(self.us[name]) for name in runs}

    def kernels(self, run):
        name = self.order[len(getattr(self, "asked", []))]
        self.asked = [*getattr(self, "asked", []), name]
        return self.ran[name]

    def kernel_times(self, run, count):
        return [[4.0 + number] * 20 for number in range(count)] or None

    def graph(self, run):
        return run

    def host_time(self, run):
        return Figure(value=self.host, unit="us", kind="measured")


def timing(us):
    return Timing(value=us, unit="us", kind="measured", p20=us, p80=us, n=20)


def eager(x):
    return torch.exp(x) + 1


def chain_with(**candidates):
    return Chain(
        name="exp", about="", inputs=lambda *_: {}, outputs=("out",),
        reference=lambda x: torch.exp(x) + 1, eager=Provider(EAGER, eager, counted=True),
        others=tuple(
            Provider(name, run, own=True, compiles=True) for name, run in candidates.items()
        ),
        by_row=("x",),
    )  # fmt: skip


def benched(us, kernels, monkeypatch, large=10.0, **candidates):
    monkeypatch.setattr(torch, "compile", lambda function, **_: function)
    chain = chain_with(**candidates)
    device = Device(
        kind="gpu", name="pretended", l2_bytes=L2,
        large_copy=Figure(value=large, unit="GB/s", kind="measured"),
    )  # fmt: skip
    tensors = {"x": torch.randn(64, 128, generator=torch.Generator().manual_seed(1))}
    gpu = Pretended(us, kernels)
    about, reports, faults, notes = bench_size(chain, tensors, SHAPE, device, gpu, lambda _: None)
    return about, {report.name: report for report in reports}, faults, notes


TWO = [Ran("exp_kernel", ((1, "aten::exp"),)), Ran("add_kernel", ((2, "aten::add"),))]
ONE = [Ran("mine")]
KERNELS = {EAGER: TWO, COMPILED: ONE, "mine": ONE}


def test_a_right_candidate_is_measured_explained_and_has_its_ledger(monkeypatch):
    about, found, faults, notes = benched(
        {EAGER: 60.0, COMPILED: 30.0, "mine": 20.0}, KERNELS, monkeypatch, mine=eager
    )
    assert (faults, notes) == ([], [])
    mine = found["mine"]
    assert mine.speedup[EAGER].value == 3.0
    split = mine.explained
    assert split.traffic.value == 2.0
    assert split.traffic.value * split.use.value * split.host.value == pytest.approx(3.0)
    assert (mine.kernel_time.value, mine.host_time.value) == (4.0, 5.0)
    assert mine.bound == "launch"
    assert found[EAGER].bound == "memory"
    assert [row.kernels for row in about.ledger.rows] == [("exp_kernel",), ("add_kernel",)]
    assert [row.time.value for row in about.ledger.rows] == [4.0, 5.0]
    assert about.least.value == 2 * BYTES
    assert about.traffic_ratio.value == 2.0


def test_a_wrong_candidate_has_neither_time_nor_speedup(monkeypatch):
    _, found, faults, _ = benched(
        {EAGER: 60.0, COMPILED: 30.0}, KERNELS, monkeypatch, mine=lambda x: torch.exp(x)
    )
    assert found["mine"].time is None
    assert found["mine"].speedup == {}
    assert "off by" in faults[0]


def test_a_candidate_that_raises_is_told_and_stops_nothing(monkeypatch):
    def raises(x):
        raise ValueError("not yet")

    _, found, faults, _ = benched({EAGER: 60.0, COMPILED: 30.0}, KERNELS, monkeypatch, mine=raises)
    assert faults == ["64x128: mine: It raised ValueError: not yet"]
    assert found[COMPILED].speedup[EAGER].value == 2.0


def test_a_candidate_that_launched_no_kernel_is_refused(monkeypatch):
    us = {EAGER: 60.0, COMPILED: 30.0, "mine": 10.0}
    _, found, faults, _ = benched(us, {**KERNELS, "mine": []}, monkeypatch, mine=eager)
    assert found["mine"].speedup == {}
    assert faults == ["64x128: mine: It launched no kernel."]


def test_a_candidate_that_is_faster_than_its_floor_is_not_believed(monkeypatch):
    us = {EAGER: 60.0, COMPILED: 30.0, "mine": 2.0}
    _, found, faults, _ = benched(us, KERNELS, monkeypatch, mine=eager)
    assert found["mine"].speedup == {}
    assert "not believed" in faults[0]


def test_a_candidate_that_is_slower_than_eager_is_measured_so(monkeypatch):
    us = {EAGER: 60.0, COMPILED: 30.0, "mine": 90.0}
    _, found, faults, _ = benched(us, KERNELS, monkeypatch, mine=eager)
    assert faults == []
    assert found["mine"].speedup[EAGER].value < 1


def test_what_does_not_fit_is_a_smaller_command(monkeypatch):
    def full(*_):
        raise torch.OutOfMemoryError("full")

    monkeypatch.setattr("triton_path.worker.bench.on_gpu.prepare", full)
    with pytest.raises(MissingHere, match="does not fit") as caught:
        benched({}, KERNELS, monkeypatch)
    assert "--shape 16x128" in caught.value.hint
    with pytest.raises(MissingHere) as caught:
        benched({}, KERNELS, monkeypatch, mine=eager)
    assert caught.value.hint == "smaller tensors in inputs()"
