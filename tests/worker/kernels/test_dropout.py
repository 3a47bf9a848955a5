from __future__ import annotations

import pytest
import torch

from tests.worker.kernels.closeness import DTYPES, draw, nan_like
from triton_path.worker.bench.masks import mask_faults, scale_faults
from triton_path.worker.kernels import dropout

P = 0.1


def masks(device, *seeds, rows=32, width=512, p=P, **options):
    ones = torch.ones(rows, width, device=device)
    return [dropout.fused(ones, p, seed=seed, **options) != 0 for seed in seeds]


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", [(1, 1), (3, 257), (1, 4099)])
def test_what_is_kept_is_scaled_and_the_rest_is_nought(shape, dtype, device):
    x = draw(*shape, dtype=dtype, device=device)
    (mask,) = masks(device, 5, rows=shape[0], width=shape[1])
    out = dropout.fused(x, P, seed=5, into=nan_like(x))
    expected = (x.double() * mask / (1 - P)).to(dtype)
    torch.testing.assert_close(out, expected, rtol=torch.finfo(dtype).eps, atol=1e-8)


@pytest.mark.parametrize("p", [0.1, 0.5, 0.97])
def test_a_mask_is_fair_and_another_seed_gives_another(p, device):
    first, other = masks(device, 1, 2, p=p)
    assert mask_faults(first, other, p) == []


@pytest.mark.parametrize(("seed", "rounds"), [(0, 7), (16, 7), (2**31, 10), (2**62 + 5, 7)])
def test_every_seed_gives_a_fair_mask(seed, rounds, device):
    mask, other = masks(device, seed, seed + 1, rounds=rounds)
    assert mask_faults(mask, other, P) == []


def test_the_seed_may_lie_on_the_device(device):
    seed = torch.tensor(2**40 + 5, device=device)
    (mask,) = masks(device, 2**40 + 5, rows=3, width=200)
    assert torch.equal(dropout.fused(torch.ones(3, 200, device=device), P, seed=seed) != 0, mask)


def test_pages_do_not_repeat_one_another(device):
    (mask,) = masks(device, 3, rows=4, width=dropout.PAGE)
    for row in mask[1:]:
        agree = (row == mask[0]).double().mean().item()
        assert abs(agree - (P**2 + (1 - P) ** 2)) < 0.06


def test_the_mask_belongs_to_the_element_not_to_its_place_in_memory(device):
    """A gradient may lie otherwise than x did."""
    apart = torch.ones(40, 200, device=device)[:, :123]
    (mask,) = masks(device, 8, rows=40, width=123)
    assert torch.equal(dropout.fused(apart, P, seed=8) != 0, mask)
    same_row = torch.ones(1, 123, device=device).expand(40, 123)
    out = dropout.fused(same_row, P, seed=8)
    assert torch.equal(out != 0, mask)
    assert scale_faults(out, mask, P) == []


def test_rows_that_lie_apart_are_read_where_they_are(device):
    x = draw(37, 123, device=device, strided=True)
    assert torch.equal(dropout.fused(x, P, seed=8), dropout.fused(x.contiguous(), P, seed=8))
    assert torch.equal(dropout.fused(x, 0.0), x)


def test_the_backward_pass_is_the_same_kernel_with_the_same_seed(device):
    x, gradient = draw(2, 9, 300, device=device)
    (mask,) = masks(device, 4, rows=9, width=300)
    x.requires_grad_()
    (x * mask / (1 - P)).backward(gradient)
    torch.testing.assert_close(dropout.fused(gradient, P, seed=4), x.grad)


def test_no_probability_no_change_and_the_seed_is_drawn_from_torch(device):
    x = draw(4, 300, device=device)
    assert torch.equal(dropout.fused(x, 0.0), x)
    torch.manual_seed(3)
    first, second = dropout.fused(x, P), dropout.fused(x, P)
    torch.manual_seed(3)
    assert torch.equal(dropout.fused(x, P), first)
    assert not torch.equal(first, second)


def test_eager_drops_as_much(device):
    x = torch.ones(200, 500, device=device)
    torch.manual_seed(0)
    for way in (dropout.eager, dropout.best_eager):
        out = way(x, P)
        assert mask_faults(out != 0, way(x, P) != 0, P) == []
        assert scale_faults(out, out != 0, P) == []


def test_what_the_kernel_cannot_take_is_refused(device):
    x = torch.ones(4, 8, device=device)
    for p in (1.0, -0.1, float("nan")):
        with pytest.raises(ValueError, match="probability"):
            dropout.fused(x, p)
    with pytest.raises(ValueError, match="side by side"):
        dropout.fused(torch.ones(8, 4, device=device).t(), P)
    wide = torch.empty(2, 1, device="meta").expand(2, 2**31).as_strided((2, 2**31), (2**32, 1))
    with pytest.raises(ValueError, match="no gaps"):
        dropout.fused(wide, P)


def test_it_moves_two_tensors():
    assert dropout.fused_steps(10, 100, 2) == [("dropout_kernel", 2000, 2000)]


@pytest.mark.gpu
def test_more_than_two_to_the_31_elements(device):
    rows, width = 2**19 + 3, 4096
    x = torch.ones(rows, width, dtype=torch.bfloat16, device=device)
    out = dropout.fused(x, P, seed=1)
    last, early = out[-64:] != 0, out[:64] != 0
    assert mask_faults(last, early, P) == []
    apart = torch.ones(rows, 2 * width, dtype=torch.bfloat16, device=device)[:, :width]
    assert torch.equal(dropout.fused(apart, P, seed=1)[-64:], out[-64:])
