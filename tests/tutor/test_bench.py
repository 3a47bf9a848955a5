from __future__ import annotations

import pytest

from tests.reports import BAD, on_h200, verification, without_gpu
from triton_path.course.gpus import load_gpus
from triton_path.errors import UsageFault
from triton_path.jobs.bench import Shape
from triton_path.paths import content_dir
from triton_path.tutor.bench import predicted_us, with_predictions, with_verification
from triton_path.tutor.bench_options import (
    check_name,
    parse_dropout,
    parse_dtype,
    parse_rounds,
    parse_shape,
)
from triton_path.tutor.bench_verdict import on_device, verdict


@pytest.fixture(scope="module")
def table():
    return load_gpus(content_dir())


@pytest.mark.parametrize("text", ["16384x4096", "16384X4096", " 16384 x 4096 ", "16384×4096"])
def test_a_shape_is_rows_by_width(text):
    assert parse_shape(text) == Shape(rows=16384, width=4096)


@pytest.mark.parametrize(
    "text", ["", "5", "5x", "x5", "0x5", "5x0", "-1x5", "5x5x5", "1.5x4", "5x70000", "9999999999x1"]
)
def test_what_is_no_shape_is_refused_with_an_example(text):
    with pytest.raises(UsageFault) as caught:
        parse_shape(text)
    assert "--shape 16384x4096" in caught.value.hint


@pytest.mark.parametrize(
    ("text", "dtype"),
    [
        ("bf16", "bfloat16"),
        ("float16", "float16"),
        ("torch.float32", "float32"),
        ("FP32", "float32"),
    ],
)
def test_a_dtype_has_two_names(text, dtype):
    assert parse_dtype(text) == dtype


def test_wrong_names_bring_the_nearest():
    with pytest.raises(UsageFault, match="Did you mean 'float16'"):
        parse_dtype("flot16")
    with pytest.raises(UsageFault, match="Did you mean 'fused-transformer'"):
        check_name("fused-transfomer")


@pytest.mark.parametrize("text", ["1", "-0.1", "nan", "inf", "half", ""])
def test_dropout_is_at_least_0_and_less_than_1(text):
    assert parse_dropout("0") == 0
    assert parse_dropout("0.25") == 0.25
    with pytest.raises(UsageFault):
        parse_dropout(text)


@pytest.mark.parametrize("text", ["6", "17", "-7", "7.5", "many"])
def test_rounds_are_7_to_16(text):
    assert parse_rounds("10") == 10
    with pytest.raises(UsageFault):
        parse_rounds(text)


def test_a_prediction_is_bytes_over_bandwidth():
    assert predicted_us(4.8e9, 4800).value == pytest.approx(1000)
    assert predicted_us(1, 1).kind == "predicted"


def test_without_a_gpu_times_are_predicted_for_the_target(table):
    report = with_predictions(without_gpu(), table.find("h200"), table)
    predicted = on_device(report, "NVIDIA H200 SXM")
    assert [round(p.time.value) for p in predicted] == [629, 210, 112]
    assert {p.time.kind for p in predicted} == {"predicted"}
    assert {p.device for p in report.providers} == {"NVIDIA H200 SXM", "cpu"}
    assert report.target.bandwidth.value == 4800


def test_without_a_gpu_no_time_of_a_triton_kernel_is_measured(table):
    report = with_predictions(without_gpu(), table.find("h200"), table)
    for provider in report.providers:
        if provider.name.startswith("Triton"):
            assert provider.time.kind == "predicted"
            assert provider.graph_time is None


def test_on_a_gpu_a_target_adds_predictions_and_keeps_what_was_measured(table):
    measured = on_h200()
    report = with_predictions(measured, table.find("b200"), table)
    assert on_device(report, "NVIDIA H200") == list(measured.providers)
    for provider in on_device(report, "NVIDIA B200"):
        assert provider.time.kind == provider.launches.kind == "predicted"
        assert provider.check is None
        assert provider.speedup == {}


def test_a_case_that_failed_in_the_interpreter_is_a_fault():
    assert with_verification(without_gpu(), verification()).faults == ()
    (fault,) = with_verification(without_gpu(), verification(BAD)).faults
    assert fault.startswith("5x100 float32 in the interpreter: out is off")


def test_an_interpreter_that_verified_nothing_is_a_fault():
    empty = verification().model_copy(update={"cases": ()})
    assert with_verification(without_gpu(), empty).faults == ("The interpreter verified nothing.",)


def test_the_verdict_on_a_gpu_splits_the_speedup():
    report = on_h200()
    (first, *_) = report.shapes
    one = [p for p in report.providers if (p.rows, p.width) == (first.rows, first.width)]
    text = verdict(report.model_copy(update={"providers": tuple(one)}))
    assert "x as fast as the 10 eager kernels: 5.6x less traffic" in text


def test_the_verdict_of_several_shapes_tells_which_is_bound_by_the_host():
    assert "512x1024 is bound by the host" in verdict(on_h200())


def test_no_speedup_is_claimed_when_a_check_failed():
    report = on_h200().model_copy(update={"faults": ("eager ran 9 kernels.",)})
    assert verdict(report) == ("A check failed, so nothing is claimed: eager ran 9 kernels.")


def test_a_fused_kernel_that_is_slower_is_said_to_be():
    report = on_h200()
    fused = next(p for p in report.providers if p.name == "Triton fused")
    slow = fused.speedup["eager"].model_copy(update={"value": 0.5})
    slower = fused.model_copy(update={"speedup": {"eager": slow}})
    eager = next(p for p in report.providers if p.name == "eager")
    assert "slower" in verdict(report.model_copy(update={"providers": (eager, slower)}))


def test_the_verdict_without_a_gpu_claims_no_time():
    report = with_verification(without_gpu(), verification())
    assert "5.6x fewer bytes" in verdict(report)
    assert "only a GPU can tell" in verdict(report)
