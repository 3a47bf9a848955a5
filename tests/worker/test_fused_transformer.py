from __future__ import annotations

import pytest
import torch

from triton_path.jobs.bench import Case, Shape
from triton_path.worker.bench.chain import Provider
from triton_path.worker.bench.chains import find
from triton_path.worker.bench.checking import expected_of, judge, observe
from triton_path.worker.bench.drawing import apart
from triton_path.worker.bench.masks import mask_faults
from triton_path.worker.kernels import fused_transformer as chain
from triton_path.worker.kernels.row_layout import MEASURED, Layout, layout_for

SHAPES = [(1, 1), (5, 100), (3, 257), (2, 1500), (4, 1024), (3, 5120), (1, 16384)]
DTYPES = [torch.float32, torch.float16]


def compare(shape, dtype, device, p, *, strided=False, rounds=7):
    """Check the kernel as the bench does; outputs are filled with NaN before."""
    bench = find("fused-transformer", Case(dropout=p))
    inputs = bench.inputs(Shape(rows=shape[0], width=shape[1]), dtype, device, 3)
    if strided:
        inputs.update({name: apart(inputs[name]) for name in bench.by_row})
    expected = expected_of(bench, inputs)

    def fused(x, residual, weight):
        into = tuple(torch.full(x.shape, float("nan"), dtype=dtype, device=device) for _ in "ho")
        return chain.fused(x, residual, weight, p, rounds=rounds, into=into)

    eager = observe(bench.eager, bench, inputs, expected, seed=5)
    return judge(observe(Provider("fused", fused), bench, inputs, expected, seed=5), eager)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
@pytest.mark.parametrize("p", [0.0, 0.1])
def test_it_agrees_with_float64_at_odd_shapes(shape, dtype, p, device):
    assert compare(shape, dtype, device, p).faults == ()


@pytest.mark.parametrize("shape", [(6, 130), (5, 1024), (3, 257)])
def test_rows_may_lie_apart_in_memory(shape, device):
    assert compare(shape, torch.float32, device, 0.1, strided=True).faults == ()


def test_ten_rounds_and_a_high_rate_are_right_too(device):
    assert compare((8, 300), torch.float32, device, 0.5, rounds=10).faults == ()
    assert compare((8, 300), torch.float32, device, 0.97).faults == ()


@pytest.mark.gpu
@pytest.mark.parametrize("shape", [*SHAPES, (64, 4096), (7, 65536)])
def test_bfloat16_agrees_on_a_gpu(shape, device):
    assert compare(shape, torch.bfloat16, device, 0.1).faults == ()


def masks(device, *, seeds=(1, 2), rows=64, width=512, rounds=7):
    x = torch.ones(rows, width, device=device)
    weight = torch.ones(width, device=device)
    zeros = torch.zeros_like(x)
    return [chain.fused(x, zeros, weight, 0.1, seed=seed, rounds=rounds)[0] != 0 for seed in seeds]


def test_a_seed_gives_its_mask_again_and_another_seed_another(device):
    first, again, other = masks(device, seeds=(7, 7, 8))
    assert torch.equal(first, again)
    assert mask_faults(first, other, 0.1) == []


@pytest.mark.parametrize("seed", [0, 1, 16, 2**31 - 1, 2**31, 2**62 + 5])
def test_every_seed_gives_a_fair_mask(seed, device):
    mask, other = masks(device, seeds=(seed, seed + 1))
    assert mask_faults(mask, other, 0.1) == []


def test_the_mask_does_not_depend_on_how_the_row_is_held(device, monkeypatch):
    (whole,) = masks(device, seeds=(4,))
    monkeypatch.setitem(MEASURED, 512, Layout(128, 4, 1))
    (chunks,) = masks(device, seeds=(4,))
    assert torch.equal(whole, chunks)


def test_manual_seed_fixes_the_seed_that_is_drawn():
    torch.manual_seed(11)
    first = chain.draw_seed()
    second = chain.draw_seed()
    torch.manual_seed(11)
    assert chain.draw_seed() == first != second
    assert 0 <= first < 2**63


def test_what_the_kernel_cannot_take_is_refused(device):
    x = torch.ones(4, 8, device=device)
    weight = torch.ones(8, device=device)
    with pytest.raises(ValueError, match="side by side"):
        chain.fused(torch.ones(8, 4, device=device).t(), x, weight, 0.1)
    with pytest.raises(ValueError, match="cannot take"):
        chain.fused(x, x, torch.ones(7, device=device), 0.1)


@pytest.mark.parametrize("size", [2, 4])
@pytest.mark.parametrize("width", [1, 3, 5, 257, 1000, 1025, 1536, 4097, 5120, 7168, 9216, 65536])
def test_a_layout_covers_the_row_with_powers_of_two(width, size):
    layout = layout_for(width, size)
    assert layout.chunk & (layout.chunk - 1) == 0
    assert layout.chunk >= 4
    assert layout.chunk * (layout.chunks - 1) < width <= layout.chunk * layout.chunks
    assert layout.warps & (layout.warps - 1) == 0
    assert layout.warps <= 32


@pytest.mark.gpu
def test_new_seeds_compile_no_new_kernel(device):
    import triton

    compiled = []

    def note(**about):
        compiled.append(about["repr"])

    before = triton.knobs.runtime.jit_post_compile_hook
    triton.knobs.runtime.jit_post_compile_hook = note
    try:
        masks(device, seeds=(0, 1, 16, 2**31 - 1, 2**31, 2**62), width=640)
    finally:
        triton.knobs.runtime.jit_post_compile_hook = before
    assert len(compiled) == 1, compiled


@pytest.mark.gpu
def test_more_than_two_to_the_31_elements(device):
    rows, width = 2**19 + 3, 4096
    x = torch.ones(rows, width, dtype=torch.bfloat16, device=device)
    weight = torch.ones(width, dtype=torch.bfloat16, device=device)
    h, out = chain.fused(x, torch.zeros_like(x), weight, 0.1, seed=1)
    last, early = h[-64:] != 0, h[:64] != 0
    assert mask_faults(last, early, 0.1) == []
    assert bool(out[-64:].isfinite().all())
