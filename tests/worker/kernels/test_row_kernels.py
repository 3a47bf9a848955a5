from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from tests.worker.kernels.closeness import (
    DTYPES,
    SHAPES,
    assert_as_close,
    draw,
    error,
    nan_like,
    quiet,
)
from triton_path.worker.kernels import layer_norm, rms_norm, softmax
from triton_path.worker.kernels.row_layout import Layout
from triton_path.worker.kernels.softmax import IN_REGISTERS, layout_of_one, steps_of

COLUMNS = {softmax: 0, rms_norm: 1, layer_norm: 2}
KERNELS = pytest.mark.parametrize("bench", COLUMNS, ids=["softmax", "rms-norm", "layer-norm"])
TWO_PASSES = Layout(64, 2, 1)


def columns(bench, width, dtype, device):
    """Draw the weight, and the bias, that the bench takes."""
    return [draw(width, dtype=dtype, device=device, seed=9 + i) for i in range(COLUMNS[bench])]


def true(bench, x, *columns):
    return bench.best_eager(x.double(), *(each.double() for each in columns))


def compare(bench, x, layout=None):
    weights = columns(bench, x.shape[1], x.dtype, x.device)
    out = bench.fused(x, *weights, into=nan_like(x), layout=layout)
    assert_as_close(out, bench.eager(x, *weights), true(bench, x, *weights))
    return out


@KERNELS
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_it_agrees_with_float64_at_odd_shapes(bench, shape, dtype, device):
    compare(bench, draw(*shape, dtype=dtype, device=device))


@KERNELS
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 129), (5, 512), (3, 1000)])
def test_two_passes_agree_too(bench, shape, dtype, device):
    compare(bench, draw(*shape, dtype=dtype, device=device), TWO_PASSES)


@KERNELS
def test_a_row_too_wide_for_registers(bench, device):
    compare(bench, draw(2, IN_REGISTERS + 3, dtype=torch.float16, device=device))


@KERNELS
@pytest.mark.parametrize("layout", [None, TWO_PASSES])
def test_rows_may_lie_apart_in_memory(bench, layout, device):
    compare(bench, draw(6, 257, device=device, strided=True), layout)
    compare(bench, draw(1, 200, device=device).expand(4, 200), layout)


@KERNELS
@pytest.mark.parametrize("layout", [None, TWO_PASSES, Layout(128, 3, 2)])
def test_large_values_do_not_overflow(bench, layout, device):
    compare(bench, 1e4 * draw(3, 300, device=device), layout)


@pytest.mark.parametrize("layout", [None, TWO_PASSES, Layout(128, 3, 2)])
def test_a_mean_far_above_the_spread_costs_no_more_than_in_eager(layout, device):
    """mean(x^2) - mean^2 would be off by a thousand times as much."""
    x = 1e3 + draw(3, 300, device=device)
    weights = columns(layer_norm, 300, x.dtype, device)
    off, eager_off = (
        error(out, true(layer_norm, x, *weights))
        for out in (layer_norm.fused(x, *weights, layout=layout), layer_norm.eager(x, *weights))
    )
    assert off < 10 * eager_off  # both are a rounding of the mean: luck decides


@quiet
@pytest.mark.parametrize("layout", [None, TWO_PASSES])
def test_softmax_of_minus_infinity_is_that_of_pytorch(layout, device):
    x = draw(5, 300, device=device)
    x[0, 3:290] = -float("inf")  # whole blocks hold nothing else
    x[1] = -float("inf")
    x[2, 299] = float("nan")
    x[3, 7] = float("inf")
    x[4, 1:] = -float("inf")
    out = compare(softmax, x, layout)
    assert out[1:4].isnan().all()
    assert out[4, 0] == 1.0


@pytest.mark.parametrize("layout", [None, TWO_PASSES])
def test_rows_of_softmax_sum_to_one(layout, device):
    out = softmax.fused(draw(4, 500, device=device), layout=layout)
    assert (out.double().sum(-1) - 1).abs().max() < 1e-6


@KERNELS
@pytest.mark.parametrize("layout", [None, TWO_PASSES])
def test_a_constant_row_is_no_trouble(bench, layout, device):
    compare(bench, torch.full((2, 300), 3.0, device=device), layout)
    compare(bench, torch.zeros(2, 300, device=device), layout)


@KERNELS
def test_what_the_kernel_cannot_take_is_refused(bench, device):
    x = torch.ones(4, 8, device=device)
    weights = columns(bench, 8, x.dtype, device)
    with pytest.raises(ValueError, match="side by side"):
        bench.fused(torch.ones(8, 4, device=device).t(), *weights)
    with pytest.raises(ValueError, match=r"not torch\.int32"):
        bench.fused(x.int(), *weights)
    with pytest.raises(ValueError, match="must agree"):
        bench.fused(x, *weights, into=torch.ones(5, 8, device=device))


@pytest.mark.parametrize("bench", [rms_norm, layer_norm], ids=["rms-norm", "layer-norm"])
def test_weights_that_do_not_fit_are_refused(bench, device):
    x = torch.ones(4, 8, device=device)
    right = columns(bench, 8, x.dtype, device)
    for wrong, match in (
        (torch.ones(9, device=device), r"expected \(8,\)"),
        (torch.ones(8, device=device).half(), "of the same"),
        (torch.ones(16, device=device)[::2], "contiguous"),
    ):
        with pytest.raises(ValueError, match=match):
            bench.fused(x, *right[:-1], wrong)


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("width", [1, 33, 1000, 1024, 4096, 5120, 16384, 16385, 128256])
def test_layouts_are_powers_of_two_and_fit_the_row(width, size):
    held, step = layout_of_one(width, size), steps_of(width, size)
    for layout in (held, step):
        assert layout.chunk & (layout.chunk - 1) == 0
        assert layout.warps & (layout.warps - 1) == 0
        assert 1 <= layout.warps <= 32
    assert (held.chunk * held.chunks >= width) == (width <= IN_REGISTERS)
    assert step.chunk * size == step.warps * 32 * 16  # a thread loads 16 bytes at once


@KERNELS
def test_it_moves_two_tensors(bench):
    (step,) = bench.fused_steps(10, 100, 2)
    assert (step.read, step.written) == (2000 + COLUMNS[bench] * 200, 2000)
    (wide,) = bench.fused_steps(10, 2 * IN_REGISTERS, 2)
    assert wide.op == "wide_kernel"


@KERNELS
@pytest.mark.gpu
def test_more_than_two_to_the_31_elements(bench, device):
    rows, width = 2**19 + 3, 4096
    x = draw(64, width, dtype=torch.bfloat16, device=device).repeat(rows // 64 + 1, 1)[:rows]
    weights = columns(bench, width, x.dtype, device)
    out = bench.fused(x, *weights)
    for part in (slice(0, 4), slice(-4, None)):
        expected = true(bench, x[part], *weights)
        assert_as_close(out[part], bench.eager(x[part], *weights), expected)


@pytest.mark.gpu
def test_layer_norm_is_float_layer_norm_on_a_gpu(device):
    x = draw(64, 32768, dtype=torch.bfloat16, device=device)
    weight, bias = columns(layer_norm, 32768, x.dtype, device)
    expected = functional.layer_norm(
        x.double(), (32768,), weight.double(), bias.double(), layer_norm.EPS
    )
    assert_as_close(layer_norm.fused(x, weight, bias), layer_norm.eager(x, weight, bias), expected)
