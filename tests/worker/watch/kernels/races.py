"""Programs and lanes that meet at one element."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.worker.watch.cases import case


@triton.jit
def total_by_store(x, out, columns, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    values = tl.load(x + row * columns + lanes, mask=lanes < columns, other=0.0)
    tl.store(out, tl.sum(values, axis=0))  # fault: write-write-race


@case()
def every_program_stores_its_sum():
    total_by_store[(5,)](torch.randn(5, 6), torch.zeros(1), 6, BLOCK=8)


@triton.jit
def raise_flag(flag, out):
    tl.store(flag, 1)
    tl.store(out + tl.program_id(0), 2)


@case()
def every_program_stores_the_same():
    flag, out = torch.zeros(1, dtype=torch.int32), torch.empty(4, dtype=torch.int32)
    raise_flag[(4,)](flag, out)
    return [(flag, torch.ones_like(flag)), (out, torch.full_like(out, 2))]


@triton.jit
def chain(out):
    at = tl.program_id(0)
    before = tl.load(out + at)  # fault: read-write-race
    tl.store(out + at + 1, before + 1)


@case()
def each_reads_what_the_last_wrote():
    chain[(8,)](torch.zeros(9))


@triton.jit
def init_and_add(out):
    if tl.program_id(0) == 0:
        tl.store(out, 0.0)
    tl.atomic_add(out, 1.0)  # fault: write-write-race


@case()
def zeroed_by_program_0_then_added_to():
    init_and_add[(4,)](torch.full((1,), 5.0))


@triton.jit
def init_and_read(scratch, out):
    at = tl.program_id(0)
    if at == 0:
        tl.store(scratch, 3.0)
    tl.store(out + at, tl.load(scratch))  # fault: read-write-race


@case()
def filled_by_program_0_then_read():
    init_and_read[(4,)](torch.zeros(1), torch.zeros(4))


@triton.jit
def add_all(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + lanes, mask=lanes < n, other=0.0), axis=0))


@case()
def sum_by_atomics():
    x, out = torch.randn(1000), torch.zeros(1)
    add_all[(16,)](x, out, 1000, BLOCK=64)
    return [(out[0], x.sum())]


@triton.jit
def add_locked(x, partial, lock, count, columns, GROUP: tl.constexpr, BLOCK: tl.constexpr):
    row, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    inside = lanes < columns
    group = row % GROUP
    mine = tl.load(x + row * columns + lanes, mask=inside, other=0.0)
    lock += group
    count += group
    partial += group * columns + lanes
    while tl.atomic_cas(lock, 0, 1) == 1:
        pass
    if tl.load(count) == 0:
        tl.atomic_xchg(count, 1)
    else:
        mine += tl.load(partial, mask=inside, other=0.0)
    tl.store(partial, mine, mask=inside)
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0)


@case()
def lock_of_the_layer_norm_tutorial():
    x, partial = torch.randn(12, 40), torch.empty(3, 40)
    lock, count = torch.zeros(3, dtype=torch.int32), torch.zeros(3, dtype=torch.int32)
    add_locked[(12,)](x, partial, lock, count, 40, GROUP=3, BLOCK=64)
    return [(partial.sum(0), x.sum(0))]


@triton.jit
def add_locked_relaxed(out, lock):
    while tl.atomic_cas(lock, 0, 1, sem="relaxed") == 1:
        pass
    before = tl.load(out)  # fault: read-write-race
    tl.store(out, before + 1.0)  # fault: write-write-race
    tl.debug_barrier()
    tl.atomic_xchg(lock, 0, sem="relaxed")


@case()
def lock_that_orders_nothing():
    add_locked_relaxed[(4,)](torch.zeros(1), torch.zeros(1, dtype=torch.int32))


@triton.jit
def last_one_sums(x, partial, counter, out, BLOCK: tl.constexpr, COUNT: tl.constexpr):
    at = tl.program_id(0)
    tl.store(partial + at, tl.sum(tl.load(x + at * BLOCK + tl.arange(0, BLOCK)), axis=0))
    tl.debug_barrier()
    if tl.atomic_add(counter, 1) == COUNT - 1:
        tl.store(out, tl.sum(tl.load(partial + tl.arange(0, COUNT)), axis=0))
        tl.store(counter, 0)


@case()
def the_last_program_sums():
    x, out = torch.randn(8, 32), torch.empty(1)
    counter = torch.zeros(1, dtype=torch.int32)
    for _ in range(2):
        last_one_sums[(8,)](x, torch.empty(8), counter, out, BLOCK=32, COUNT=8)
    return [(out[0], x.sum()), (counter, torch.zeros_like(counter))]


@triton.jit
def last_one_sums_relaxed(x, partial, counter, out, BLOCK: tl.constexpr, COUNT: tl.constexpr):
    at = tl.program_id(0)
    tl.store(partial + at, tl.sum(tl.load(x + at * BLOCK + tl.arange(0, BLOCK)), axis=0))
    tl.debug_barrier()
    if tl.atomic_add(counter, 1, sem="relaxed") == COUNT - 1:
        parts = tl.load(partial + tl.arange(0, COUNT))  # fault: read-write-race
        tl.store(out, tl.sum(parts, axis=0))


@case()
def the_last_program_sums_without_order():
    counter = torch.zeros(1, dtype=torch.int32)
    out = torch.empty(1)
    last_one_sums_relaxed[(8,)](torch.randn(8, 32), torch.empty(8), counter, out, BLOCK=32, COUNT=8)


@triton.jit
def smooth_in_place(x, n):
    at = tl.program_id(0)
    if at + 1 < n:
        right = tl.load(x + at + 1)
        tl.store(x + at, (tl.load(x + at) + right) / 2)  # fault: read-write-race


@case()
def a_neighbour_changed_in_place():
    smooth_in_place[(8,)](torch.arange(8.0), 8)


@triton.jit
def double(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes, mask=lanes < n) * 2, mask=lanes < n)


@case()
def one_tensor_as_input_and_output():
    x = torch.randn(100)
    wanted = x * 2
    double[(4,)](x, x, 100, BLOCK=32)
    return [(x, wanted)]


@triton.jit
def shift_by_one(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)  # fault: read-write-race
    tl.store(out + lanes, values, mask=lanes < n)


@case()
def views_that_overlap():
    x = torch.arange(33.0)
    shift_by_one[(4,)](x[:-1], x[1:], 32, BLOCK=8)


@triton.jit
def two_to_one(out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes // 2, lanes)  # fault: lane-write-race


@case()
def lanes_with_one_offset():
    two_to_one[(1,)](torch.zeros(4, dtype=torch.int32), BLOCK=8)


@triton.jit
def two_to_one_alike(out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes // 2, lanes // 2)


@case()
def lanes_with_one_offset_and_value():
    out = torch.empty(4, dtype=torch.int32)
    two_to_one_alike[(1,)](out, BLOCK=8)
    return [(out, torch.arange(4).int())]


@triton.jit
def through_memory(x, scratch, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(scratch + lanes, tl.load(x + lanes))
    flipped = tl.load(scratch + (BLOCK - 1) - lanes)  # fault: read-back-without-barrier
    tl.store(out + lanes, flipped)


@case()
def flipped_through_memory():
    through_memory[(1,)](torch.randn(32), torch.empty(32), torch.empty(32), BLOCK=32)


@triton.jit
def through_memory_ordered(x, scratch, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(scratch + lanes, tl.load(x + lanes))
    tl.debug_barrier()
    tl.store(out + lanes, tl.load(scratch + (BLOCK - 1) - lanes))


@case()
def flipped_behind_a_barrier():
    x, out = torch.randn(32), torch.empty(32)
    through_memory_ordered[(1,)](x, torch.empty(32), out, BLOCK=32)
    return [(out, x.flip(0))]


@triton.jit
def own_lane_again(x, scratch, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(scratch + lanes, tl.load(x + lanes))
    tl.store(out + lanes, tl.load(scratch + lanes) + 1)


@case()
def each_lane_reads_its_own():
    x, out = torch.randn(32), torch.empty(32)
    own_lane_again[(1,)](x, torch.empty(32), out, BLOCK=32)
    return [(out, x + 1)]


@triton.jit
def split_k(a, b, c, k, TILE: tl.constexpr):
    rows, columns = tl.arange(0, TILE), tl.arange(0, TILE)
    steps = tl.program_id(0) * TILE + tl.arange(0, TILE)
    left = tl.load(a + rows[:, None] * k + steps[None, :])
    right = tl.load(b + steps[:, None] * TILE + columns[None, :])
    tl.atomic_add(
        c + rows[:, None] * TILE + columns[None, :], tl.dot(left, right, input_precision="ieee")
    )


@case()
def matmul_split_along_k():
    a, b, c = torch.randn(16, 64), torch.randn(64, 16), torch.zeros(16, 16)
    split_k[(4,)](a, b, c, 64, TILE=16)
    return [(c, a @ b)]


@triton.jit
def histogram(x, counts, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = lanes < n
    tl.atomic_add(counts + tl.load(x + lanes, mask=inside, other=0), 1, mask=inside)


@case()
def lanes_that_add_to_one_counter():
    x, counts = torch.randint(0, 7, (500,)), torch.zeros(7, dtype=torch.int32)
    histogram[(8,)](x, counts, 500, BLOCK=64)
    return [(counts, torch.bincount(x, minlength=7).int())]


@triton.jit
def count_and_look(counter, out):
    tl.atomic_add(counter, 1)  # fault: read-write-race
    tl.store(out + tl.program_id(0), tl.load(counter))


@case()
def plain_load_of_a_counter():
    count_and_look[(4,)](torch.zeros(1, dtype=torch.int32), torch.zeros(4, dtype=torch.int32))


@triton.jit
def wait_for_program_0(flag, out):
    if tl.program_id(0) == 0:
        tl.atomic_xchg(flag, 1)
    else:
        while tl.atomic_add(flag, 0) == 0:  # fault: waits-for-another-program
            pass
    tl.store(out + tl.program_id(0), 1.0)


@case()
def flag_of_another_program():
    wait_for_program_0[(3,)](torch.zeros(1, dtype=torch.int32), torch.zeros(3))


@triton.jit
def keep_the_lock(lock, out):
    while tl.atomic_cas(lock, 0, 1) == 1:  # fault: waits-for-another-program
        pass
    tl.store(out + tl.program_id(0), 1.0)


@case()
def lock_that_is_never_let_go():
    keep_the_lock[(3,)](torch.zeros(1, dtype=torch.int32), torch.zeros(3))


@triton.jit
def watch_a_flag(flag, out):
    while tl.load(flag) == 0:  # fault: waits-for-another-program
        pass
    tl.store(out, 1.0)


@case(time_limit_s=1.0)
def plain_load_of_a_flag():
    watch_a_flag[(1,)](torch.zeros(1, dtype=torch.int32), torch.zeros(1))
