"""int32 offsets that wrap, tried on tensors without storage."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.worker.watch.cases import case, without_storage

ELEMENTS = 3 * 2**30
LAST = (ELEMENTS // 1024 - 1,)


def large() -> torch.Tensor:
    return torch.empty(ELEMENTS, dtype=torch.int8, device="meta")


@triton.jit
def zero_narrow(x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + lanes, 0, mask=lanes < n)  # fault: offset-overflow


@case(programs=(0, -1))
def offset_beyond_int32():
    zero_narrow[(ELEMENTS // 1024,)](large(), ELEMENTS, BLOCK=1024)


@triton.jit
def zero_wide(x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + lanes, 0, mask=lanes < n)


@without_storage
@case(programs=(0, 5, -1))
def offset_of_64_bits():
    zero_wide[(ELEMENTS // 1024,)](large(), ELEMENTS, BLOCK=1024)


@triton.jit
def zero_widened_late(x, n, BLOCK: tl.constexpr):
    start = (tl.program_id(0) * BLOCK).to(tl.int64)
    lanes = start + tl.arange(0, BLOCK)
    tl.store(x + lanes, 0, mask=lanes < n)  # fault: offset-overflow


@case(programs=LAST)
def widened_after_the_product():
    zero_widened_late[(ELEMENTS // 1024,)](large(), ELEMENTS, BLOCK=1024)


@triton.jit
def zero_too_far(x, BLOCK: tl.constexpr):
    lanes = tl.program_id(0).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + lanes + 1, 0)  # fault: out-of-bounds-store


@case(programs=LAST)
def past_the_end_of_a_large_tensor():
    zero_too_far[(ELEMENTS // 1024,)](large(), BLOCK=1024)


@triton.jit
def stride_too_large(x, out, stride):
    row = tl.program_id(0)
    tl.store(out + row, tl.load(x + row * stride))  # fault: offset-overflow


@case(programs=(2,))
def row_times_a_large_stride():
    x = torch.empty(4, 2**30, dtype=torch.int8, device="meta")
    stride_too_large[(4,)](x, torch.zeros(4, dtype=torch.int8), x.stride(0))


@triton.jit
def masked_overflow(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    far = lanes * 1_000_000_000
    inside = lanes < n
    tl.store(out + lanes, tl.load(x + far, mask=inside, other=7.0), mask=lanes < BLOCK)


@case()
def overflow_in_masked_lanes():
    out = torch.empty(8)
    masked_overflow[(1,)](torch.ones(1), out, 1, BLOCK=8)
    return [(out, torch.tensor([1.0, *[7.0] * 7]))]


@triton.jit
def hashed(x, out, size: tl.constexpr, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    slot = ((lanes * 1_103_515_245 + 12_345) & 0x7FFFFFFF) % size
    tl.store(out + lanes, tl.load(x + slot))


@case()
def hash_that_wraps():
    out = torch.empty(64)
    hashed[(1,)](torch.ones(16), out, 16, BLOCK=64)
    return [(out, torch.ones(64))]


@triton.jit
def random_numbers(out, seed, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.rand(seed, lanes))


@case()
def random_numbers_of_triton():
    out = torch.empty(1024)
    random_numbers[(1,)](out, 123, BLOCK=1024)
    return [((out.mean() - 0.5).abs() < 0.05, torch.tensor(True))]


@triton.jit
def fill_in_a_loop(x, blocks, BLOCK: tl.constexpr):
    for block in range(blocks - 1, blocks):
        tl.store(x + block * BLOCK + tl.arange(0, BLOCK), 0)  # fault: offset-overflow


@case()
def variable_of_a_loop_times_a_block():
    fill_in_a_loop[(1,)](large(), ELEMENTS // 1024, BLOCK=1024)


@triton.jit
def fill_in_a_wide_loop(x, blocks, BLOCK: tl.constexpr):
    for block in range(blocks.to(tl.int64) - 1, blocks.to(tl.int64)):
        tl.store(x + block * BLOCK + tl.arange(0, BLOCK), 0)


@without_storage
@case()
def variable_of_a_loop_of_64_bits():
    fill_in_a_wide_loop[(1,)](large(), ELEMENTS // 1024, BLOCK=1024)


@triton.jit
def zero_annotated(x, first: tl.int64, n, BLOCK: tl.constexpr):
    lanes = first * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + lanes, 0, mask=lanes < n)


@without_storage
@case()
def scalar_annotated_as_64_bits():
    zero_annotated[(1,)](large(), ELEMENTS // 1024 - 1, ELEMENTS, BLOCK=1024)


@triton.jit
def zero_unsigned(x, stride, BLOCK: tl.constexpr):
    offset = tl.program_id(0).to(tl.uint32) * stride.to(tl.uint32)
    tl.store(x + offset + tl.arange(0, BLOCK), 0)  # fault: offset-overflow


@case(programs=(0, -1))
def offset_beyond_uint32():
    huge = torch.empty(5 * 2**30, dtype=torch.int8, device="meta")
    zero_unsigned[(5 * 2**10,)](huge, 2**20, BLOCK=1024)
