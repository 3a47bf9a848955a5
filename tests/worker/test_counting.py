from __future__ import annotations

import pytest
import torch

from triton_path.jobs.bench import BYTES, Case, Shape
from triton_path.worker.bench.chains import find
from triton_path.worker.bench.counting import count, count_here
from triton_path.worker.kernels import fused_transformer as chain

SHAPES = [Shape(rows=16384, width=4096), Shape(rows=5, width=100), Shape(rows=1 << 22, width=8192)]


@pytest.mark.parametrize("shape", SHAPES, ids=str)
@pytest.mark.parametrize("p", [0.0, 0.1])
@pytest.mark.parametrize("dtype", BYTES)
def test_dispatched_steps_are_those_of_the_formulas(shape, p, dtype):
    case = Case(dtype=dtype, dropout=p)
    bench = find("fused-transformer", case)
    tensors = bench.inputs(shape, getattr(torch, dtype), "meta", 0)
    for provider in (bench.eager, bench.provider("best eager")):
        assert count(provider, tensors).steps == provider.steps(tensors)


@pytest.mark.parametrize(
    ("size", "p", "kernels", "bytes_an_element"),
    [(2, 0.1, 10, 45), (2, 0.0, 9, 40), (4, 0.1, 8, 49), (4, 0.0, 7, 40)],
)
def test_kernels_and_bytes_of_the_eager_chain(size, p, kernels, bytes_an_element):
    rows, width = 1024, 4096
    steps = chain.eager_steps(rows, width, size, p)
    moved = sum(step.read + step.written for step in steps)
    assert len(steps) == kernels
    # The rest is a few bytes for each row and the weight.
    assert 0 <= moved - bytes_an_element * rows * width <= 40 * rows + width * size


def test_the_fused_kernel_moves_two_tensors_in_and_two_out():
    (step,) = chain.fused_steps(100, 50, 2)
    assert (step.read, step.written) == (2 * 100 * 50 * 2 + 50 * 2, 2 * 100 * 50 * 2)


def test_views_and_allocations_are_no_kernels():
    x = torch.ones(4, 6)
    steps = count_here(lambda: torch.empty_like(x).copy_(x.t().reshape(6, 4).t()).view(-1)[2:])
    assert [step.op for step in steps] == ["copy_"]


def test_an_expanded_tensor_counts_as_what_it_stores():
    one = torch.ones(1).expand(1000)
    (step,) = count_here(lambda: torch.add(one, one))
    assert (step.read, step.written) == (2 * 4, 1000 * 4)
