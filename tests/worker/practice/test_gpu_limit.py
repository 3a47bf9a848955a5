"""What the timed case must do at least, and the times that are not believed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from tests.worker.practice.fake_gpu import GRADING
from triton_path.jobs.bench import Timing as Measured
from triton_path.jobs.grading import Case, Grading, TensorSpec, Timing
from triton_path.worker.practice.cases import timed
from triton_path.worker.practice.gpu_limit import (
    Work,
    amount,
    matrix_limit,
    slower,
    stream_limit,
    work_of,
)

ROWS = Grading(
    entry="f",
    tensors=(
        TensorSpec(name="x", shape=("m", "k")),
        TensorSpec(name="index", shape=("m",), dtype="int64"),
        TensorSpec(name="state", shape=("k",), dtype="float32", role="in-place"),
        TensorSpec(name="out", shape=("m",), role="output"),
    ),
    cases=(Case(sizes={"m": 1, "k": 1}),),
    timing=Timing(sizes={"m": 100, "k": 8}, dtype="bfloat16", flops="2*m*k"),
)


def measured(us: float) -> Measured:
    return Measured(value=us, unit="us", kind="measured", p20=us - 1, p80=us + 1, n=50)


def test_each_tensor_counts_once_and_one_in_place_both_ways():
    assert work_of(ROWS, timed(ROWS)) == Work(
        read=100 * 8 * 2 + 100 * 8 + 8 * 4, written=8 * 4 + 100 * 2, flops=1600
    )


def test_the_exercise_may_say_what_must_be_read_and_written():
    timing = replace(ROWS.timing, reads=("index",), writes=(), flops=None)
    grading = replace(ROWS, timing=timing)
    assert work_of(grading, timed(grading)) == Work(read=800, written=0, flops=None)


def test_two_inputs_and_an_output():
    assert work_of(GRADING, timed(GRADING)) == Work(20_000, 10_000, None)


def test_the_limit_is_the_stream_and_the_floor_a_little_below_it():
    limit = stream_limit(Work(200_000_000, 100_000_000, None), measured(100.0), 0)
    assert limit.share(125.0) == pytest.approx(0.8)
    assert limit.floor_us == pytest.approx(95.0)
    assert limit.words == "a stream that reads 200 MB and writes 100 MB (3000 GB/s)"


def test_the_floor_leaves_out_what_the_l2_can_hold():
    limit = stream_limit(Work(0, 100_000_000, None), measured(100.0), 60_000_000)
    assert limit.floor_us == pytest.approx(0.95 * 40)
    assert limit.words == "a stream that writes 100 MB (1000 GB/s)"


def test_the_matrix_rate_is_scaled_to_the_flops():
    work = Work(10, 10, 2 * 1024**3)
    limit = matrix_limit(work, 2048, measured(80.0), "float16")
    assert limit.time.value == pytest.approx(10.0)
    assert (limit.time.p20, limit.time.p80) == (pytest.approx(79 / 8), pytest.approx(81 / 8))
    assert limit.floor_us == pytest.approx(4.5)
    assert "2048 x 2048 in float16" in limit.words
    assert f"{2 * 1024**3 / 10 / 1e6:.0f} TFLOP/s" in limit.words


def test_the_slower_of_two_limits_binds_and_both_floors_hold():
    work = Work(200_000_000, 100_000_000, 2 * 1024**3)
    memory = stream_limit(work, measured(100.0), 0)
    product = matrix_limit(work, 1024, measured(120.0), "float16")
    both = slower(memory, product)
    assert both.words == product.words
    assert both.floor_us == pytest.approx(95.0)
    assert slower(memory, None) == memory


@pytest.mark.parametrize(
    ("count", "words"),
    [(12, "12 bytes"), (65_536, "65.5 kB"), (134_217_728, "134 MB"), (3 * 10**9, "3 GB")],
)
def test_bytes_in_words(count, words):
    assert amount(count) == words
