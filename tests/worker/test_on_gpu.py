"""The whole bench on a GPU, small."""

from __future__ import annotations

import pytest

from triton_path.jobs.bench import BenchJob, Case, Shape
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

    monkeypatch.setattr(fused_transformer, "EPS", 1e-3)
    monkeypatch.setattr("triton_path.worker.bench.checking.EPS", 1e-6)
    report = bench(BenchJob(case=Case(), shapes=(SHAPE,)), lambda _: None)
    fused = names(report)["Triton fused"]
    assert fused.refused
    assert fused.time is None
    assert fused.speedup == {}
    assert report.faults
