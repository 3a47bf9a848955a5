"""What may be claimed of a time."""

from __future__ import annotations

import pytest
import torch

from triton_path.jobs.bench import Case, Figure, ProviderReport, Shape, Timing
from triton_path.worker.bench import on_cpu
from triton_path.worker.bench.chains import find
from triton_path.worker.bench.device import describe_throttle
from triton_path.worker.bench.profiling import short
from triton_path.worker.bench.timing import _turns, summarise, time_on_cpu
from triton_path.worker.bench.verdicts import least_us, too_fast, with_speedups


def report(name, time_us, refused=None):
    figure = Figure(value=1, unit="kernels", kind="measured")
    timing = Timing(value=time_us, unit="us", kind="measured", p20=1, p80=2, n=20)
    return ProviderReport(
        name=name,
        device="a GPU",
        rows=1,
        width=1,
        launches=figure,
        kernels=(),
        bytes=None,
        time=timing,
        refused=refused,
    )


def test_the_floor_leaves_out_what_the_l2_can_still_hold():
    assert least_us(1000, 1000, 0, 1.0) == pytest.approx(2.0)
    assert least_us(1000, 1000, 400, 1.0) == pytest.approx(1.6)
    assert least_us(1000, 100, 400, 1.0) == pytest.approx(1.0)


def test_a_time_below_its_floor_is_not_believed():
    assert too_fast(100.0, 100.0) is None
    assert too_fast(96.0, 100.0) is None
    assert "not believed" in too_fast(90.0, 100.0)


def test_speedups_stand_only_between_sound_providers():
    eager, best, fused = with_speedups(
        [report("eager", 100), report("best eager", 50, "wrong"), report("Triton fused", 10)]
    )
    assert {name: ratio.value for name, ratio in fused.speedup.items()} == {"eager": 10}
    assert best.speedup == {}
    assert eager.speedup == {}


def test_a_refused_kernel_has_no_speedup():
    _, fused = with_speedups([report("eager", 100), report("Triton fused", 10, "wrong")])
    assert fused.speedup == {}


def test_few_samples_are_refused():
    with pytest.raises(ValueError, match="too few"):
        summarise([1.0] * 19)
    timing = summarise([float(value) for value in range(1, 102)])
    assert (timing.value, timing.p20, timing.p80, timing.n) == (51, 21, 81, 101)


def test_providers_take_turns_in_changing_order():
    turns = [name for name, _ in _turns({"a": 1, "b": 2, "c": 3}, 30)]
    rounds = {tuple(turns[start : start + 3]) for start in range(0, 90, 3)}
    assert all(sorted(order) == ["a", "b", "c"] for order in rounds)
    assert len(rounds) > 1


def test_a_cpu_time_has_all_its_statistics():
    timing = time_on_cpu({"nothing": lambda: None})["nothing"]
    assert timing.kind == "measured"
    assert timing.n >= 20
    assert timing.p20 <= timing.value <= timing.p80


def test_a_large_shape_is_timed_on_a_cpu_with_fewer_rows():
    assert on_cpu.cpu_shape(Shape(rows=16384, width=4096), 1 << 22) == Shape(rows=1024, width=4096)
    assert on_cpu.cpu_shape(Shape(rows=5, width=100), 1 << 22) == Shape(rows=5, width=100)
    assert on_cpu.cpu_shape(Shape(rows=9, width=65536), 1 << 10).rows == 1


def test_throttle_reasons_in_words():
    assert describe_throttle("0x0000000000000000") == "none"
    assert describe_throttle("0x0000000000000001") == "none"
    assert describe_throttle("0x0000000000000024") == "power cap, thermal slowdown"
    assert describe_throttle("[N/A]") is None


def test_a_kernel_name_is_cut_to_what_tells_it_from_others():
    assert short("boundary_kernel") == "boundary_kernel"
    dropout = "void at::native::(anonymous namespace)::fused_dropout_kernel_vec<c10::BFloat16>(int)"
    assert short(dropout) == "fused_dropout_kernel_vec"
    add = (
        "void at::native::vectorized_elementwise_kernel<4, at::native::CUDAFunctor_add<float>>(int)"
    )
    assert short(add) == "CUDAFunctor_add"


def measured_on_cpu():
    chain, shape = find("fused-transformer", Case()), Shape(rows=2, width=2)
    tensors = chain.inputs(shape, torch.float32, "cpu", 1)
    return on_cpu.measure_size(chain, tensors, shape, lambda _: None)


def test_without_a_cpp_compiler_a_visible_line_says_so(monkeypatch):
    monkeypatch.setattr(on_cpu, "cpp_compiler", lambda: None)
    reports, faults, notes = measured_on_cpu()
    assert (reports, faults) == ([], [])
    assert "no C++ compiler" in notes[0]


def test_a_compiler_that_fails_is_a_note_and_no_crash(monkeypatch):
    def fail(_run):
        raise RuntimeError("fatal error: Python.h: No such file\nmore")

    monkeypatch.setattr(on_cpu, "cpp_compiler", lambda: "g++")
    monkeypatch.setattr(on_cpu, "_compile", fail)
    _, _, notes = measured_on_cpu()
    assert "Python.h" in notes[0]
    assert "more" not in notes[0]
