"""Combinations that a learner wrote, in `tl.reduce` under the watch."""
# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)

from __future__ import annotations

from typing import Any

import pytest
import torch
import triton
import triton.language as tl

from triton_path.worker.triton_private.names import ReduceOps
from triton_path.worker.watch.options import WatchOptions
from triton_path.worker.watch.watching import watch

N = 256


@triton.jit
def first_of(a, b):
    return a


@triton.jit
def merge(a, i, b, j):
    take = (a > b) | ((a == b) & (i < j))
    return tl.where(take, a, b), tl.where(take, i, j)


@triton.jit
def larger(a, b):
    return a if a > b else b


@triton.jit
def reduce_in_order(x_ptr, o_ptr, BLOCK: tl.constexpr):
    x = tl.reshape(tl.load(x_ptr + tl.arange(0, BLOCK)), [4, BLOCK // 4])
    tl.store(o_ptr + tl.arange(0, BLOCK // 4), tl.reduce(x, 0, first_of))
    kept = tl.reduce(x, 1, first_of, keep_dims=True)
    tl.store(o_ptr + BLOCK + tl.arange(0, 4)[:, None], kept)
    tl.store(o_ptr + BLOCK + 4, tl.reduce(x, None, first_of))


@triton.jit
def reduce_pairs(x_ptr, o_ptr, BLOCK: tl.constexpr):
    i = tl.arange(0, BLOCK)
    value, index = tl.reduce((tl.load(x_ptr + i), i), 0, merge)
    tl.store(o_ptr, value)
    tl.store(o_ptr + 1, index)


@triton.jit
def reduce_by_if(x_ptr, o_ptr, BLOCK: tl.constexpr):
    tl.store(o_ptr, tl.reduce(tl.load(x_ptr + tl.arange(0, BLOCK)), 0, larger))


def reduced(kernel: Any, x: torch.Tensor) -> list[float]:
    out = torch.zeros(2 * N)
    with watch(WatchOptions()) as state:
        kernel[(1,)](x, out, N)
    assert state.report.faults == ()
    return out.tolist()


@pytest.fixture
def x() -> torch.Tensor:
    return torch.randn(N, generator=torch.Generator().manual_seed(3))


@pytest.fixture
def no_element_by_element(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(ReduceOps, "generic_reduce", lambda *_: 1 / 0)


@pytest.mark.usefixtures("no_element_by_element")
def test_neighbours_are_combined_in_their_order(x: torch.Tensor) -> None:
    out = reduced(reduce_in_order, x)
    assert out[: N // 4] == x[: N // 4].tolist()
    assert out[N : N + 5] == [*x[:: N // 4].tolist(), x[0].item()]


@pytest.mark.usefixtures("no_element_by_element")
def test_several_values_are_combined_together(x: torch.Tensor) -> None:
    x[100] = x[7] = 9.0
    assert reduced(reduce_pairs, x)[:2] == [9.0, 7.0]


def test_a_combination_may_ask_which_of_two_numbers_is_larger(x: torch.Tensor) -> None:
    assert reduced(reduce_by_if, x)[0] == x.max().item()
