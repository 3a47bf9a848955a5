from __future__ import annotations

import pytest
import torch
from torch.nn import functional

from tests.worker.kernels.closeness import DTYPES, SHAPES, assert_as_close, draw, nan_like, quiet
from triton_path.worker.kernels import swiglu, vector_add
from triton_path.worker.kernels.vector_add import as_long_rows, block_for

TRUE = {
    vector_add: lambda a, b: a.double() + b.double(),
    swiglu: lambda a, b: functional.silu(a.double()) * b.double(),
}
KERNELS = pytest.mark.parametrize("bench", TRUE, ids=["vector-add", "swiglu"])


@KERNELS
@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_it_agrees_with_float64_at_odd_shapes(bench, shape, dtype, device):
    a, b = draw(2, *shape, dtype=dtype, device=device)
    out = bench.fused(a, b, into=nan_like(a))
    assert_as_close(out, bench.eager(a, b), TRUE[bench](a, b))
    assert_as_close(bench.best_eager(a, b), bench.eager(a, b), TRUE[bench](a, b))


@KERNELS
@pytest.mark.parametrize("shape", [(6, 130), (3, 2049), (1, 64)])
def test_rows_may_lie_apart_in_memory(bench, shape, device):
    a = draw(*shape, device=device, strided=True)
    b = draw(*shape, device=device, seed=1)
    for one, other in ((a, b), (b, a), (a, a)):
        out = bench.fused(one, other, into=nan_like(one))
        assert_as_close(out, bench.eager(one, other), TRUE[bench](one, other))


def test_the_halves_of_one_tensor_need_no_copy(device):
    both = draw(5, 2 * 300, device=device)
    gate, up = both.chunk(2, dim=-1)
    out = swiglu.fused(gate, up)
    assert out.is_contiguous()
    assert_as_close(out, swiglu.eager(gate, up), TRUE[swiglu](gate, up))


@KERNELS
def test_one_row_may_be_read_for_all(bench, device):
    a, b = draw(4, 70, device=device), draw(1, 70, device=device, seed=1).expand(4, 70)
    assert_as_close(bench.fused(a, b), bench.eager(a, b), TRUE[bench](a, b))


@quiet
def test_silu_of_large_values_neither_overflows_nor_vanishes(device):
    gate = torch.tensor([[-1e4, -200.0, -90.0, -20.0, 0.0, 20.0, 200.0, 1e4]], device=device)
    out = swiglu.fused(gate, torch.ones_like(gate))
    assert_as_close(out, functional.silu(gate), functional.silu(gate.double()))


@KERNELS
def test_another_block_gives_the_same(bench, device):
    a, b = draw(2, 5, 1000, device=device)
    for block in (64, 512, 4096):
        assert torch.equal(bench.fused(a, b, block=block), bench.fused(a, b))


@KERNELS
def test_what_the_kernel_cannot_take_is_refused(bench, device):
    x = torch.ones(4, 8, device=device)
    for a, b, match in (
        (torch.ones(8, 4, device=device).t(), x, "side by side"),
        (x, torch.ones(4, 7, device=device), "must agree"),
        (x, x.half(), "must agree"),
        (x.double(), x.double(), "not torch.float64"),
        (x[0], x[0], "expected .rows, width."),
        (x[:0], x[:0], "with an element"),
    ):
        with pytest.raises(ValueError, match=match):
            bench.fused(a, b)
    with pytest.raises(ValueError, match="must be contiguous"):
        bench.fused(x, x, into=torch.ones(8, 4, device=device).t())
    with pytest.raises(ValueError, match="must agree"):
        bench.fused(x, x, into=torch.ones(4, 9, device=device))


def test_rows_without_gaps_are_one_row():
    x = torch.ones(6, 50)
    assert as_long_rows(x, x) == (1, 300, (0, 0))
    assert as_long_rows(x[:, :40], x[:, 10:]) == (6, 40, (50, 50))
    assert as_long_rows(x[:, :50], x[:1].expand(6, 50)) == (6, 50, (50, 0))


@pytest.mark.parametrize("width", [1, 33, 2048, 2**31 + 5])
def test_a_block_is_a_power_of_two_that_fits_the_row(width):
    block, warps = block_for(width)
    assert block & (block - 1) == 0
    assert block == 2048 or width <= block < max(2 * width, 64)
    assert block >= 32 * warps


@pytest.mark.parametrize("bench", TRUE, ids=["vector-add", "swiglu"])
def test_it_moves_three_tensors(bench):
    (step,) = bench.fused_steps(10, 100, 2)
    assert (step.read, step.written) == (4000, 2000)


@KERNELS
@pytest.mark.gpu
def test_more_than_two_to_the_31_elements(bench, device):
    rows, width = 2**19 + 3, 4096
    a = torch.ones(rows, width, dtype=torch.bfloat16, device=device)
    a[-1] = 3.0
    for b in (a, a[:1].expand(rows, width)):
        out = bench.fused(a, b)
        torch.testing.assert_close(out[-2:], bench.best_eager(a[-2:], b[-2:]))
        torch.testing.assert_close(out[:2], bench.best_eager(a[:2], b[:2]))
