"""Masked lanes of a load without `other`, and elements that nobody wrote."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.worker.watch.cases import case


@triton.jit
def mean_of_all(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)  # fault: depends-on-masked-lanes
    tl.store(out, tl.sum(values, axis=0) / n)


@case()
def sum_without_other():
    mean_of_all[(1,)](torch.randn(20), torch.zeros(1), 20, BLOCK=32)


@triton.jit
def largest_of_all(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)  # fault: depends-on-masked-lanes
    tl.store(out, tl.max(values, axis=0))


@case()
def maximum_without_other():
    largest_of_all[(1,)](-torch.rand(20), torch.zeros(1), 20, BLOCK=32)


@triton.jit
def smallest_of_all(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)  # fault: depends-on-masked-lanes
    tl.store(out, tl.min(values, axis=0))


@case()
def minimum_without_other():
    smallest_of_all[(1,)](-torch.rand(20), torch.zeros(1), 20, BLOCK=32)


@triton.jit
def count_equal(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)  # fault: depends-on-masked-lanes
    tl.store(out, tl.sum((values == 13).to(tl.int32), axis=0))


@case()
def integers_without_other():
    count_equal[(1,)](
        torch.zeros(20, dtype=torch.int32), torch.zeros(1, dtype=torch.int32), 20, BLOCK=32
    )


@triton.jit
def dot_of_two(x, y, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    left = tl.load(x + lanes, mask=lanes < n)  # fault: depends-on-masked-lanes
    right = tl.load(y + lanes, mask=lanes < n, other=0.0)
    tl.store(out, tl.sum(left * right, axis=0))


@case()
def not_a_number_times_zero():
    dot_of_two[(1,)](torch.randn(20), torch.randn(20), torch.zeros(1), 20, BLOCK=32)


@triton.jit
def variance(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    inside = lanes < n
    values = tl.load(x + lanes, mask=inside)
    mean = tl.sum(tl.where(inside, values, 0.0), axis=0) / n
    away = tl.where(inside, values - mean, 0.0)
    tl.store(out, tl.sum(away * away, axis=0) / n)


@case()
def masked_lanes_discarded_by_where():
    x, out = torch.randn(20), torch.empty(1)
    variance[(1,)](x, out, 20, BLOCK=32)
    return [(out[0], x.var(unbiased=False))]


@triton.jit
def gather(x, index, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = tl.load(index + lanes, mask=lanes < n)
    tl.store(out + lanes, tl.load(x + at, mask=lanes < n), mask=lanes < n)


@case()
def gather_with_masked_indices():
    x, index, out = torch.randn(20), torch.randperm(20), torch.empty(20)
    gather[(1,)](x, index, out, 20, BLOCK=32)
    return [(out, x[index])]


@triton.jit
def gather_bare(x, index, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    at = tl.load(index + lanes, mask=lanes < n)  # fault: depends-on-masked-lanes
    tl.store(out + lanes, tl.load(x + at), mask=lanes < n)


@case()
def gather_through_masked_indices():
    gather_bare[(1,)](torch.randn(20), torch.randperm(20), torch.empty(20), 20, BLOCK=32)


@triton.jit
def padded_sum(x, out, m, n, TILE: tl.constexpr):
    source = tl.make_tensor_descriptor(x, shape=[m, n], strides=[n, 1], block_shape=[TILE, TILE])
    tl.store(out, tl.sum(source.load([0, 0])))


@case()
def descriptors_pad_with_zero():
    x, out = torch.randn(10, 12), torch.empty(1)
    padded_sum[(1,)](x, out, 10, 12, TILE=16)
    return [(out[0], x.sum())]


@triton.jit
def scalar_other(x, out, n):
    at = tl.program_id(0)
    tl.store(out + at, tl.load(x + at, mask=at < n, other=0.0) + 1)


@case()
def other_of_a_scalar_load():
    x, out = torch.randn(4), torch.empty(6)
    scalar_other[(6,)](x, out, 4)
    return [(out, torch.cat([x, torch.zeros(2)]) + 1)]


@triton.jit
def copy_block(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)
    tl.store(out + lanes, values, mask=lanes < n)  # fault: never-written


@case()
def grid_rounded_down():
    out = torch.empty(100)
    copy_block[(100 // 32,)](torch.randn(100), out, 100, BLOCK=32)


@triton.jit
def copy_half(x, out, start, n, BLOCK: tl.constexpr):
    lanes = start + tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes, mask=lanes < n), mask=lanes < n)


@case()
def an_output_written_by_two_launches():
    x, out = torch.randn(60), torch.empty(60)
    copy_half[(1,)](x, out, 0, 32, BLOCK=32)
    copy_half[(1,)](x, out, 32, 60, BLOCK=32)
    return [(out, x)]


@triton.jit
def sum_blocks(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(values, axis=0))


@case()
def an_output_larger_than_needed():
    x, partial = torch.randn(100), torch.empty(50)
    sum_blocks[(4,)](x, partial, 100, BLOCK=32)
    return [(partial[:4].sum(), x.sum())]


@triton.jit
def sum_blocks_again(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n, other=0.0)
    tl.store(out + tl.program_id(0), tl.sum(values, axis=0))  # fault: never-written


@case()
def more_read_than_written():
    partial = torch.empty(50)
    sum_blocks_again[(4,)](torch.randn(100), partial, 100, BLOCK=32)
    partial.sum()


@triton.jit
def scatter(x, index, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + tl.load(index + lanes), tl.load(x + lanes))


@case()
def scatter_into_zeros():
    x, index, out = torch.randn(8), torch.randperm(20)[:8], torch.zeros(20)
    scatter[(1,)](x, index, out, BLOCK=8)
    return [(out[index], x)]


@triton.jit
def nothing_stored(x, out):  # fault: never-written
    tl.load(x)


@case(outputs=("out",))
def a_named_output_forgotten():
    nothing_stored[(1,)](torch.randn(1), torch.full((4,), float("nan")))


@triton.jit
def add_up(x, out):
    tl.atomic_add(out, tl.load(x + tl.program_id(0)))  # fault: uninitialised-read


@case()
def atomics_on_empty():
    add_up[(4,)](torch.randn(4), torch.empty(1))


@triton.jit
def add_onto(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    before = tl.load(out + lanes)  # fault: uninitialised-read
    tl.store(out + lanes, before + tl.load(x + lanes))


@case()
def accumulated_onto_empty():
    add_onto[(1,)](torch.randn(8), torch.empty(8), BLOCK=8)


@triton.jit
def add_one(x, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(x + lanes, tl.load(x + lanes) + 1)


@case()
def empty_filled_by_torch():
    x = torch.empty(8)
    x.fill_(2.0)
    y = torch.empty_like(x).copy_(x)
    add_one[(1,)](x, BLOCK=8)
    add_one[(1,)](y, BLOCK=8)
    return [(x, torch.full((8,), 3.0)), (y, x)]


@triton.jit
def product_of_both(x, y, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    left = tl.load(x + lanes, mask=lanes < n)  # fault: depends-on-masked-lanes
    right = tl.load(y + lanes, mask=lanes < n)  # fault: depends-on-masked-lanes
    tl.store(out, tl.sum(left * right, axis=0))


@case()
def zeros_of_one_load_hide_the_other():
    x, y = torch.arange(20, dtype=torch.int32), torch.arange(1, 21, dtype=torch.int32)
    product_of_both[(1,)](x, y, torch.zeros(1, dtype=torch.int32), 20, BLOCK=32)
