"""The lies of `bench lies`: their structure on a clock of our own, and all twelve on a GPU."""

from __future__ import annotations

from functools import partial
from typing import Any

import pytest
import torch
from torch.utils._python_dispatch import TorchDispatchMode

from tests.worker.practice.fake_gpu import FakeClock
from triton_path.jobs.bench import Figure, Timing
from triton_path.jobs.lies import NAMES, LiesJob
from triton_path.worker.bench.lies import compile_time as compiling
from triton_path.worker.bench.lies import run as job
from triton_path.worker.bench.lies import stale_output as stale
from triton_path.worker.bench.lies.one_sample import quantiles_of
from triton_path.worker.bench.lies.registry import LIES, Lie
from triton_path.worker.bench.lies.run import tell, tell_one
from triton_path.worker.bench.lies.showing import Shown, compare
from triton_path.worker.bench.lies.stage import HostClock, Stage
from triton_path.worker.kernels.plain_matmul import matmul
from triton_path.worker.kernels.tuned_scale import scale

CALL_US, BYTES_A_US = 2.0, 1000.0


class Costs(TorchDispatchMode):
    """Every operation takes 2 us, and 1 us more for each 1000 bytes that it reads or writes."""

    def __init__(self, clock: FakeClock, extra: Any = lambda _name: 0.0) -> None:
        super().__init__()
        self.clock, self.more = clock, extra

    def __torch_dispatch__(self, func, types, args=(), kwargs=None):
        result = func(*args, **(kwargs or {}))
        touched = [*args, *(kwargs or {}).values(), result]
        tensors = {id(one): one for one in touched if isinstance(one, torch.Tensor)}
        moved = sum(one.numel() * one.element_size() for one in tensors.values())
        self.clock.spend(CALL_US + moved / BYTES_A_US + self.more(func.overloadpacket.__name__))
        return result


def told(name, *, extra=lambda _name: 0.0):
    """Return the report of one lie on a machine whose every operation has a known cost."""
    clock = FakeClock()
    with Costs(clock, extra):
        return tell_one(name, Stage(clock, 1 << 16, warm_up_s=0.0, budget_s=0.0))


def us(value, spread=0.0):
    low, high = value * (1 - spread), value * (1 + spread)
    return Timing(value=value, unit="us", kind="measured", p20=low, p80=high, n=20)


def test_there_are_twelve_and_each_can_be_told():
    assert tuple(LIES) == NAMES
    assert len(NAMES) == 12


@pytest.mark.parametrize(
    ("false", "true", "lies", "shows"),
    [
        (us(50), us(100), "below", True),
        (us(50), us(100), "above", False),
        (us(200), us(100), "above", True),
        (us(104), us(100), "above", False),  # less than 5 %
        (us(140), us(100, spread=0.5), "above", False),  # inside the spread
        (us(160), us(100, spread=0.5), "above", True),
    ],
)
def test_a_figure_is_false_beyond_five_percent_and_the_spread(false, true, lies, shows):
    pair = compare("time", false, true, lies=lies)
    assert pair.shows is shows
    assert pair.factor is not None
    assert pair.factor.value == max(false.value, true.value) / min(false.value, true.value)


def test_beside_nought_there_is_no_factor():
    nought, some = (Figure(value=value, unit="%", kind="counted") for value in (0, 87.5))
    pair = compare("wrong elements", nought, some, lies="below")
    assert pair.factor is None
    assert pair.shows


def test_the_stale_buffer_hides_what_nan_finds():
    lie = told("stale-output")
    wrong, claimed = lie.pairs
    assert (wrong.false.value, wrong.true.value) == (0, 100 * (1 - 1 / stale.DONE))
    assert wrong.false.kind == wrong.true.kind == "counted"
    assert claimed.true is None
    assert claimed.false.value == pytest.approx(stale.DONE, rel=0.01)
    assert lie.state == "shown"


def test_a_clone_on_one_side_is_a_speedup_of_an_operation_over_itself():
    speedup, _ = told("clone").pairs
    # In place: one tensor. clone: two. So three tensors against one.
    assert speedup.true.value == 1
    assert speedup.false.value == pytest.approx(3, rel=0.01)


def test_counting_a_copy_once_doubles_every_share():
    share, bandwidth = told("denominator").pairs
    assert share.false.value == pytest.approx(2 * share.true.value)
    assert share.true.value == pytest.approx(100)
    assert bandwidth.factor.value == pytest.approx(1.5, rel=0.01)


def test_one_sample_has_no_spread_and_twenty_have():
    assert quantiles_of([7.0]) == (7.0, 7.0, 7.0)
    assert quantiles_of([5.0, 1.0, 3.0, 2.0, 4.0, 6.0]) == (2.0, 3.0, 5.0)
    turns = iter(range(10**6))
    jitter = told("one-sample", extra=lambda name: 300 * (next(turns) % 7) * (name == "exp"))
    spread, luck = jitter.pairs
    assert spread.false.value == 0
    assert spread.true.value > 0
    assert luck.false.value > luck.true.value >= 1
    assert jitter.state == "shown"


def test_the_time_of_a_call_is_not_that_of_its_work():
    call, beside = told("host-bound").pairs
    small, larger = 256, 16384
    assert call.true.value == pytest.approx(2 * 4 * small / BYTES_A_US)  # x once, out once
    assert call.false.value == pytest.approx(CALL_US + call.true.value, rel=0.01)
    assert beside.true.value == larger / small
    assert beside.false.value < beside.true.value


def test_a_first_call_that_loads_something_is_seen_in_the_mean():
    calls = iter(range(10**6))
    lie = told("no-warm-up", extra=lambda name: 9000.0 * (name == "mm" and next(calls) == 0))
    (pair,) = lie.pairs
    assert pair.false.value - pair.true.value == pytest.approx(900, abs=2)
    assert lie.state == "shown"


@pytest.mark.parametrize("name", ["warm-cache", "zeros", "one-sample", "no-warm-up"])
def test_what_this_machine_does_not_show_is_said_so(name):
    lie = told(name)  # its operations have no cache, no start and no chance
    assert lie.state == "not shown"
    assert "5 %" in lie.why_not
    assert not any(pair.shows for pair in lie.pairs)


def test_beyond_the_limit_nothing_is_compiled_and_nobody_says_so(monkeypatch):
    # The eager backend: what is counted is dynamo's, and needs no C++ compiler.
    monkeypatch.setattr(compiling.torch, "compile", partial(torch.compile, backend="eager"))
    monkeypatch.setattr(compiling, "cpp_compiler", lambda: "c++")
    monkeypatch.setattr(compiling, "CPU_ELEMENTS", 64)
    lie = tell_one("compile-time", Stage(HostClock(), 1 << 16, 0.0, 0.0))
    compiled, _, graphs = lie.pairs
    assert compiled.false.value > compiled.true.value
    assert (graphs.false.value, graphs.true.value) == (0, 1)


def test_a_counter_makes_every_call_a_first_one():
    lie = tell_one("autotune", Stage(HostClock(), 1 << 16, 0.0, 0.0))
    (pair,) = lie.pairs
    assert pair.factor.value > 2
    assert lie.state == "shown"


@pytest.mark.parametrize("name", ["no-sync", "tf32"])
def test_without_a_gpu_there_is_no_figure_of_one(name):
    lie = told(name)
    assert (lie.state, lie.pairs) == ("needs a GPU", ())


def test_without_a_compiler_the_command_that_mends_it_is_told(monkeypatch):
    monkeypatch.setattr(compiling, "cpp_compiler", lambda: None)
    lie = told("compile-time")
    assert lie.state == "missing"
    assert "Next: sudo apt install g++" in lie.why_not


def test_the_job_keeps_going_and_tells_no_warm_up_first(monkeypatch):
    order, said = [], []

    def stub(name):
        def one(stage):
            order.append(name)
            if name == "zeros":
                raise RuntimeError("no room\nand more")
            return Shown("so", (compare("time", us(1), us(2), lies="below"),))

        return Lie(one)

    monkeypatch.setattr(job, "LIES", {name: stub(name) for name in NAMES})
    report = tell(LiesJob(names=NAMES), said.append)
    assert order[0] == "no-warm-up"
    assert sorted(order) == sorted(NAMES)
    assert tuple(lie.name for lie in report.lies) == NAMES
    assert [step.total for step in said] == [12] * 12
    failed = {lie.name: lie.why_not for lie in report.lies if lie.state == "failed"}
    assert failed == {"zeros": "RuntimeError: no room"}


def test_a_careless_clock_is_stopped_before_the_work_is_done():
    clock = FakeClock()
    stage = Stage(clock, 1 << 16)
    early = stage.host(lambda: clock.spend_beside(500.0), wait=False)
    late = stage.host(lambda: clock.spend_beside(500.0), wait=True)
    assert early.value == pytest.approx(FakeClock.TICK_US)
    assert late.value == pytest.approx(500 + FakeClock.TICK_US)


@pytest.mark.parametrize(("m", "n", "k"), [(5, 7, 3), (130, 140, 33)])
def test_the_plain_product_is_right_at_ragged_sizes(m, n, k, device):
    a, b = torch.randn(m, k, device=device), torch.randn(k, n, device=device)
    true = a.double() @ b.double()
    off = (matmul(a, b, precision="ieee").double() - true).norm() / true.norm()
    assert off < 1e-6


@pytest.mark.gpu
def test_the_tuned_kernel_is_right_at_a_ragged_size(device):
    x = torch.randn(5003, device=device)
    assert torch.equal(scale(x, 3.0, step=0), x * 3.0)


@pytest.mark.gpu
def test_all_twelve_on_a_gpu():
    report = tell(LiesJob(names=NAMES), lambda _: None)
    assert report.device.kind == "gpu"
    states = {lie.name: lie.state for lie in report.lies}
    reasons = {lie.name: lie.why_not for lie in report.lies if lie.why_not}
    assert set(states) == set(NAMES)
    # An older GPU has no TF32; whether zeros show is a matter of its power limit.
    assert set(states.values()) <= {"shown", "not shown", "missing"}, reasons
    sure = {"no-sync", "compile-time", "stale-output", "clone", "autotune", "denominator"}
    assert {name for name in sure if states[name] != "shown"} == set(), reasons
