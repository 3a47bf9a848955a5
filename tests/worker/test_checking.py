"""The checker must accept what is right and reject each way to be wrong."""

from __future__ import annotations

import pytest
import torch

from triton_path.jobs.bench import Case, Shape
from triton_path.worker.bench.chain import Provider
from triton_path.worker.bench.chains import find
from triton_path.worker.bench.checking import Observed, expected_of, judge, observe
from triton_path.worker.bench.comparing import Errors
from triton_path.worker.bench.masks import mask_faults, scale_faults

P = 0.1


def variant(*, eps=1e-6, scale=1 / (1 - P), p=P, mask=None, late=lambda h, out: (h, out)):
    """Return the chain with one thing changed."""

    def run(x, residual, weight):
        kept = torch.rand(x.shape, device=x.device) >= p if mask is None else mask(x)
        h = residual + (x.float() * kept * scale).to(x.dtype)
        wide = h.float()
        normed = wide * torch.rsqrt(wide.pow(2).mean(-1, keepdim=True) + eps)
        return late(h, normed.to(x.dtype) * weight)

    return run


def check(run, dtype=torch.float32, shape=(64, 512), p=P):
    chain = find("fused-transformer", Case(dropout=p))
    inputs = chain.inputs(Shape(rows=shape[0], width=shape[1]), dtype, "cpu", 1)
    expected = expected_of(chain, inputs)
    eager = observe(chain.eager, chain, inputs, expected, seed=2)
    assert judge(eager, eager).faults == ()
    return judge(observe(Provider("one", run), chain, inputs, expected, seed=2), eager)


def one_row_for_all(x):
    return (torch.rand(1, x.shape[1]) >= P).expand(x.shape)


def one_column_for_all(x):
    return (torch.rand(x.shape[0], 1) >= P).expand(x.shape)


def one_mask_for_all_launches(x):
    return torch.rand(x.shape, generator=torch.Generator().manual_seed(1)) >= P


def pairs_of_neighbours(x):
    return (torch.rand(x.shape[0], x.shape[1] // 2) >= P).repeat_interleave(2, dim=1)


def last_row_wrong(h, out):
    out = out.clone()
    out[-1] *= 1.05
    return h, out


def one_element_missing(h, out):
    out = out.clone()
    out[3, 7] = float("nan")
    return h, out


@pytest.mark.parametrize("dtype", [torch.float32, torch.float16, torch.bfloat16])
def test_a_right_kernel_passes(dtype):
    result = check(variant(), dtype)
    assert result.faults == ()
    assert result.errors["out"] <= result.allowed["out"]
    assert result.keep_rate == pytest.approx(1 - P, abs=0.02)


WRONG = {
    "eps": variant(eps=1e-5),
    "no scale": variant(scale=1.0),
    "scale a little off": variant(scale=1 / (1 - P) * 1.02),
    "another rate": variant(p=0.2, scale=1 / 0.9),
    "nothing dropped": variant(p=0.0),
    "one mask for all rows": variant(mask=one_row_for_all),
    "one mask for all columns": variant(mask=one_column_for_all),
    "one mask for all launches": variant(mask=one_mask_for_all_launches),
    "neighbours share a draw": variant(mask=pairs_of_neighbours),
    "a wrong row": variant(late=last_row_wrong),
    "an element not written": variant(late=one_element_missing),
    "h not returned": variant(late=lambda h, out: (out, out)),
    "another dtype": variant(late=lambda h, out: (h.double(), out.double())),
    "a part of the rows": variant(late=lambda h, out: (h[:-1], out[:-1])),
}


@pytest.mark.parametrize("dtype", [torch.float32, torch.bfloat16])
@pytest.mark.parametrize("name", WRONG)
def test_a_wrong_kernel_is_rejected(name, dtype):
    assert check(WRONG[name], dtype).faults != ()


def test_a_kernel_that_changes_its_inputs_is_rejected():
    def run(x, residual, weight):
        h, out = variant()(x, residual, weight)
        residual.copy_(h)
        return h, out

    assert "It changed its inputs." in check(run).faults


def test_a_replayed_result_is_rejected():
    kept = []

    def run(x, residual, weight):
        kept.append(variant()(x, residual, weight))
        return kept[0]

    assert check(run).faults != ()


def test_nothing_compared_is_a_fault():
    assert judge(Observed(), Observed()).faults == ("Nothing was compared.",)


def test_eager_itself_may_not_be_far_off():
    off = Errors(whole=0.1, worst_row=0.1, ulp=torch.finfo(torch.bfloat16).eps)
    far = Observed(errors={"h": off, "out": off})
    assert len(judge(far, far).faults) == 2


def test_without_dropout_all_is_kept():
    assert check(variant(p=0.0, scale=1.0), p=0.0).faults == ()
    assert check(variant(scale=1.0), p=0.0).faults != ()


def test_a_single_element_can_be_judged():
    mask = torch.ones(1, 1, dtype=torch.bool)
    assert mask_faults(mask, mask, P) == []
    assert scale_faults(torch.full((1, 1), 1 / 0.9), mask, P) == []


@pytest.mark.parametrize("p", [0.01, 0.1, 0.5, 0.9])
def test_fair_masks_pass_and_biased_ones_fail(p):
    generator = torch.Generator().manual_seed(0)
    one, two = (torch.rand(256, 512, generator=generator) >= p for _ in range(2))
    assert mask_faults(one, two, p) == []
    assert mask_faults(one, one, p) != []
    assert mask_faults(one, two, p + 0.01) != []
