"""The whole bench on a GPU, small."""

from __future__ import annotations

import pytest

from triton_path.jobs.bench import BenchJob, Case, Shape
from triton_path.jobs.benches import BENCHES
from triton_path.worker.bench.run import bench

pytestmark = pytest.mark.gpu
SHAPE = Shape(rows=2048, width=1024)


def names(report):
    return {provider.name: provider for provider in report.providers}


@pytest.mark.parametrize(
    ("dtype", "p", "kernels"),
    [("bfloat16", 0.1, 10), ("bfloat16", 0.0, 9), ("float16", 0.1, 10), ("float32", 0.1, 8)],
)
def test_counted_checked_and_timed(dtype, p, kernels):
    report = bench(BenchJob(case=Case(dtype=dtype, dropout=p), shapes=(SHAPE,)), lambda _: None)
    providers = names(report)
    assert report.faults == ()
    assert providers["eager"].launches.value == kernels
    assert providers["Triton fused"].launches.value == 1
    assert providers["Triton fused"].time.n >= 20
    assert set(providers["Triton fused"].speedup) == {"eager", "best eager", "torch.compile"}


def test_a_wrong_kernel_gets_no_time_and_no_speedup(monkeypatch):
    from triton_path.worker.kernels import fused_transformer

    right = fused_transformer.fused
    monkeypatch.setattr(
        fused_transformer,
        "fused",
        lambda *given, **how: tuple(1.1 * it for it in right(*given, **how)),
    )
    report = bench(BenchJob(case=Case(), shapes=(SHAPE,)), lambda _: None)
    fused = names(report)["Triton fused"]
    assert fused.refused
    assert fused.time is None
    assert fused.speedup == {}
    assert report.faults


@pytest.mark.parametrize("name", BENCHES)
@pytest.mark.parametrize("dtype", ["bfloat16", "float16", "float32"])
def test_every_bench_is_right_and_has_its_ledger_measured(name, dtype):
    job = BenchJob(bench=name, case=Case(dtype=dtype), shapes=(SHAPE,))
    report = bench(job, lambda _: None)
    assert report.faults == ()
    (shape,) = report.shapes
    assert shape.ledger.measured
    assert shape.ledger.runs >= 20
    assert all(row.kernels for row in shape.ledger.rows)
    assert shape.ledger.note == ""


def test_the_split_is_the_speedup_and_three_times_stand_side_by_side():
    report = bench(BenchJob(case=Case(), shapes=(SHAPE,)), lambda _: None)
    fused = names(report)["Triton fused"]
    split = fused.explained
    product = split.traffic.value * split.use.value * split.host.value
    assert product == pytest.approx(fused.speedup["eager"].value)
    assert fused.kernel_time.n >= 20
    assert fused.graph_time is not None
    assert fused.host_time.value > 0
    assert fused.bound in {"launch", "cache", "memory"}
    total = sum(row.time.value for row in report.shapes[0].ledger.rows)
    assert total == pytest.approx(names(report)["eager"].kernel_time.value, rel=0.1)


@pytest.mark.parametrize("name", [name for name, about in BENCHES.items() if about.backward])
def test_gradients_are_right_and_timed(name):
    job = BenchJob(bench=name, case=Case(backward=True), shapes=(SHAPE,))
    report = bench(job, lambda _: None)
    assert report.faults == ()
    assert "eager" in names(report)["Triton fused"].speedup
