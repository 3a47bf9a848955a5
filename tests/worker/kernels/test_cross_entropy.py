from __future__ import annotations

import math

import pytest
import torch
from torch.nn import functional

from tests.worker.kernels.closeness import DTYPES, assert_as_close, draw, error, nan_like, quiet
from triton_path.worker.kernels import cross_entropy
from triton_path.worker.kernels.cross_entropy import IGNORE
from triton_path.worker.kernels.row_layout import Layout

SHAPES = [(1, 2), (5, 100), (3, 257), (1, 4099), (2, 1024)]
SMALL_STEPS = Layout(32, 4, 1)
pytestmark = quiet


def targets_for(logits, *, ignored=()):
    rows, vocab = logits.shape
    generator = torch.Generator().manual_seed(1)
    targets = torch.randint(vocab, (rows,), generator=generator)
    targets[list(ignored)] = IGNORE
    return targets.to(logits.device)


def with_gradient(way, logits, targets, *, factor=1.0, ignore_index=IGNORE):
    leaf = logits.detach().clone().requires_grad_()
    loss = way(leaf, targets, ignore_index)
    (factor * loss).backward()
    return loss.detach(), leaf.grad


def compare(logits, targets, *, layout=None):
    """Compare loss and gradient with autograd in float64, and with eager's own error."""
    true_loss, true_gradient = with_gradient(cross_entropy.best_eager, logits.double(), targets)
    eager_loss, eager_gradient = with_gradient(cross_entropy.eager, logits, targets)
    loss, gradient = cross_entropy.loss_and_gradient(
        logits, targets, into=nan_like(logits), layout=layout
    )
    assert loss.shape == ()
    if true_loss.isfinite():
        bound = 2 * error(eager_loss, true_loss) + torch.finfo(torch.float32).eps
        assert error(loss, true_loss) <= bound
    else:
        assert str(loss.item()) == str(true_loss.item())
    assert_as_close(gradient, eager_gradient, true_gradient)


@pytest.mark.parametrize("dtype", DTYPES)
@pytest.mark.parametrize("shape", SHAPES)
def test_loss_and_gradient_agree_with_float64_at_odd_shapes(shape, dtype, device):
    logits = draw(*shape, dtype=dtype, device=device)
    compare(logits, targets_for(logits))
    if shape[1] < 1000:
        compare(logits, targets_for(logits), layout=SMALL_STEPS)


@pytest.mark.parametrize("layout", [None, SMALL_STEPS])
def test_a_loss_alone_is_the_same(layout, device):
    logits = draw(4, 300, device=device)
    targets = targets_for(logits, ignored=[1])
    loss, _ = cross_entropy.loss_and_gradient(logits, targets, layout=layout)
    alone, none = cross_entropy.loss_and_gradient(logits, targets, gradient=False, layout=layout)
    assert none is None
    assert torch.equal(loss, alone)


def test_a_large_vocabulary_is_read_in_steps(device):
    logits = draw(2, 50257, dtype=torch.float16, device=device)
    compare(logits, targets_for(logits))


def test_rows_may_lie_apart_in_memory(device):
    logits = draw(6, 257, device=device, strided=True)
    compare(logits, targets_for(logits, ignored=[2]))


@pytest.mark.parametrize("layout", [None, SMALL_STEPS])
def test_ignored_rows_count_for_nothing(layout, device):
    logits = draw(5, 300, device=device)
    logits[3] = float("nan")  # never read
    targets = targets_for(logits, ignored=[0, 3])
    kept = [1, 2, 4]
    loss, gradient = cross_entropy.loss_and_gradient(logits, targets, layout=layout)
    torch.testing.assert_close(loss, functional.cross_entropy(logits[kept], targets[kept]))
    assert (gradient[[0, 3]] == 0).all()
    assert (gradient[kept] != 0).all()


def test_another_number_may_mean_ignored(device):
    logits, targets = draw(5, 50, device=device), torch.tensor([0, 3, 3, 0, 9], device=device)
    loss, gradient = with_gradient(cross_entropy.fused, logits, targets, ignore_index=3)
    torch.testing.assert_close(loss, functional.cross_entropy(logits, targets, ignore_index=3))
    assert (gradient[1:3] == 0).all()


def test_all_targets_ignored_is_a_mean_of_nothing(device):
    logits = draw(5, 50, device=device)
    targets = torch.full((5,), IGNORE, device=device)
    loss, gradient = with_gradient(cross_entropy.fused, logits, targets)
    eager_loss, eager_gradient = with_gradient(cross_entropy.eager, logits, targets)
    assert loss.isnan()
    assert eager_loss.isnan()
    assert torch.equal(gradient, eager_gradient)
    assert not gradient.any()


@pytest.mark.parametrize("layout", [None, SMALL_STEPS])
def test_minus_infinity_is_treated_as_in_pytorch(layout, device):
    logits = draw(3, 300, device=device)
    logits[0, 10:290] = -float("inf")
    logits[2, 150:] = -float("inf")
    targets = torch.tensor([5, 6, 7], device=device)
    compare(logits, targets, layout=layout)
    logits[2] = -float("inf")  # no probability anywhere: the loss is no number
    compare(logits, targets, layout=layout)


def test_a_target_of_probability_nought_is_an_infinite_loss(device):
    logits = draw(2, 30, device=device)
    logits[1, 4] = -float("inf")
    loss = cross_entropy.fused(logits, torch.tensor([3, 4], device=device))
    assert loss.item() == math.inf


@pytest.mark.parametrize("layout", [None, SMALL_STEPS])
def test_large_logits_do_not_overflow(layout, device):
    logits = 1e4 * draw(3, 300, device=device)
    compare(logits, targets_for(logits), layout=layout)


@pytest.mark.parametrize("bad", [-1, 50, 2**40])
def test_a_target_that_is_no_column_shows_in_the_loss(bad, device):
    logits = draw(3, 50, device=device)
    assert cross_entropy.fused(logits, torch.tensor([1, bad, 2], device=device)).isnan()


@pytest.mark.parametrize("factor", [1.0, 128.0, 0.0])
def test_the_backward_pass_multiplies_by_the_gradient_of_the_loss(factor, device):
    logits = draw(5, 300, device=device)
    targets = targets_for(logits, ignored=[1])
    loss, gradient = with_gradient(cross_entropy.fused, logits, targets, factor=factor)
    _, true = with_gradient(cross_entropy.best_eager, logits.double(), targets, factor=factor)
    assert loss.dtype == torch.float32
    torch.testing.assert_close(gradient.double(), true, rtol=1e-5, atol=1e-9 * max(factor, 1))


def test_the_scale_reaches_every_element_of_a_large_gradient(device, monkeypatch):
    monkeypatch.setattr(cross_entropy, "SCALE_BLOCK", 64)
    monkeypatch.setattr(cross_entropy, "SCALE_PROGRAMS", 3)
    logits = draw(7, 123, device=device)
    targets = targets_for(logits)
    _, once = with_gradient(cross_entropy.fused, logits, targets)
    _, twice = with_gradient(cross_entropy.fused, logits, targets, factor=2.0)
    assert torch.equal(twice, 2 * once)


def test_it_goes_on_into_the_model_before_it(device):
    hidden, matrix = draw(6, 16, device=device), draw(16, 90, device=device, seed=2)
    targets = torch.arange(6, device=device)
    grads = []
    for way in (cross_entropy.fused, cross_entropy.best_eager):
        weight = matrix.clone().requires_grad_()
        way(hidden @ weight, targets, IGNORE).backward()
        grads.append(weight.grad)
    torch.testing.assert_close(*grads)


def test_the_logits_stay_as_they_were(device):
    logits = draw(4, 200, device=device)
    kept = logits.clone()
    with_gradient(cross_entropy.fused, logits.requires_grad_(), targets_for(logits))
    assert torch.equal(logits, kept)


def test_the_gradient_may_overwrite_the_logits(device):
    for strided in (False, True):
        logits = draw(6, 300, device=device, strided=strided)
        targets = targets_for(logits, ignored=[5])
        loss, gradient = cross_entropy.loss_and_gradient(logits.clone(), targets)
        same, into = cross_entropy.loss_and_gradient(logits, targets, into=logits)
        assert into is logits
        assert torch.equal(same, loss)
        assert torch.equal(into, gradient)


def test_a_second_backward_pass_is_refused_in_words(device):
    logits = draw(3, 40, device=device).requires_grad_()
    loss = cross_entropy.fused(logits, targets_for(logits))
    loss.backward(retain_graph=True)
    with pytest.raises(RuntimeError, match="runs once"):
        loss.backward()


def test_without_a_gradient_none_is_computed(device, monkeypatch):
    asked = []
    plain = cross_entropy.loss_and_gradient

    def note(*arguments, gradient=True):
        asked.append(gradient)
        return plain(*arguments, gradient=gradient)

    monkeypatch.setattr(cross_entropy, "loss_and_gradient", note)
    logits = draw(3, 40, device=device)
    cross_entropy.fused(logits, targets_for(logits))
    logits.requires_grad_()
    with torch.no_grad():
        cross_entropy.fused(logits, targets_for(logits))
    cross_entropy.fused(logits, targets_for(logits))
    assert asked == [False, False, True]


def test_what_the_kernel_cannot_take_is_refused(device):
    logits, targets = torch.ones(4, 8, device=device), torch.zeros(4, dtype=torch.int64)
    targets = targets.to(device)
    for bad_logits, bad_targets, match in (
        (torch.ones(8, 4, device=device).t(), targets, "side by side"),
        (logits.double(), targets, r"not torch\.float64"),
        (logits, targets[:3], r"expected targets \(4,\)"),
        (logits, targets.int(), r"of torch\.int32"),
    ):
        with pytest.raises(ValueError, match=match):
            cross_entropy.fused(bad_logits, bad_targets)


def test_bytes_of_a_loss_and_of_a_training_step():
    logits, small = 100 * 32000 * 2, 100 * 100
    loss = cross_entropy.fused_steps(100, 32000, 2)
    assert sum(step.read for step in loss) - logits < small
    assert sum(step.written for step in loss) < small
    step = cross_entropy.training_steps(100, 32000, 2)
    assert sum(each.read + each.written for each in step) - 2 * logits < small


@pytest.mark.gpu
@pytest.mark.parametrize("vocab", [32000, 128256])
def test_more_than_two_to_the_31_elements(vocab, device):
    rows = 2**31 // vocab + 5
    logits = draw(8, vocab, dtype=torch.bfloat16, device=device).repeat(rows // 8 + 1, 1)[:rows]
    targets = torch.arange(rows, device=device) % vocab
    targets[: rows - 3] = IGNORE
    loss, gradient = cross_entropy.loss_and_gradient(logits, targets, into=logits.clone())
    small_loss, small = cross_entropy.loss_and_gradient(logits[-3:], targets[-3:])
    torch.testing.assert_close(loss, small_loss)
    assert torch.equal(gradient[-3:], small)
    assert not gradient[:1000].any()
