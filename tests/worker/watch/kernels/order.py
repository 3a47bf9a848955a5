"""Results that the order of programs changes, and autotune, which runs a kernel again."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

import torch
import triton
import triton.language as tl

from tests.worker.watch.cases import case


@triton.jit
def keep_positive(x, out, counter):
    value = tl.load(x + tl.program_id(0))
    if value > 0:
        at = tl.atomic_add(counter, 1)
        tl.store(out + at, value)  # fault: order-dependence


@case()
def compaction():
    x = torch.tensor([1.0, -1.0, 2.0, 3.0, -2.0, 4.0])
    keep_positive[(6,)](x, torch.zeros(6), torch.zeros(1, dtype=torch.int32))


@triton.jit
def keep_positive_somewhere(x, out, counter):
    value = tl.load(x + tl.program_id(0))
    if value > 0:
        at = tl.atomic_add(counter, 1)
        tl.store(out + at, value)


@case(as_sets=("out",))
def compaction_as_a_set():
    x = torch.tensor([1.0, -1.0, 2.0, 3.0, -2.0, 4.0])
    out, counter = torch.zeros(6), torch.zeros(1, dtype=torch.int32)
    keep_positive_somewhere[(6,)](x, out, counter)
    return [(out.sort().values, torch.tensor([0.0, 0.0, 1.0, 2.0, 3.0, 4.0]))]


@triton.jit
def draw_ticket(counter, out):
    ticket = tl.atomic_add(counter, 1)
    tl.store(out + tl.program_id(0), ticket)  # fault: order-dependence


@case()
def tickets():
    draw_ticket[(4,)](torch.zeros(1, dtype=torch.int32), torch.zeros(4, dtype=torch.int32))


@triton.jit
def last_wins(out):
    tl.atomic_xchg(out, tl.program_id(0))  # fault: order-dependence


@case()
def the_last_exchange_wins():
    last_wins[(4,)](torch.zeros(1, dtype=torch.int32))


@triton.jit
def largest(x, out, low):
    at = tl.program_id(0)
    tl.atomic_max(out, tl.load(x + at))
    tl.atomic_min(low, tl.load(x + at))


@case()
def extremes_by_atomics():
    x, out, low = torch.randn(9), torch.full((1,), -9.0), torch.full((1,), 9.0)
    largest[(9,)](x, out, low)
    return [(out[0], x.max()), (low[0], x.min())]


@triton.jit
def persistent(x, out, n, BLOCK: tl.constexpr):
    for start in range(tl.program_id(0) * BLOCK, n, tl.num_programs(0) * BLOCK):
        lanes = start + tl.arange(0, BLOCK)
        tl.store(out + lanes, tl.load(x + lanes, mask=lanes < n) + 1, mask=lanes < n)


@case()
def persistent_loop():
    x, out = torch.randn(1000), torch.empty(1000)
    persistent[(3,)](x, out, 1000, BLOCK=64)
    return [(out, x + 1)]


CONFIGS = [triton.Config({"BLOCK": size}, num_warps=4) for size in (32, 64)]


@triton.autotune(configs=CONFIGS, key=["n"])
@triton.jit
def tuned_in_place(x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=lanes < n)
    tl.store(x + lanes, values * 2, mask=lanes < n)  # fault: autotune-reruns-in-place


@case()
def autotuned_in_place():
    tuned_in_place[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](torch.randn(100), 100)


@triton.autotune(configs=CONFIGS, key=["n"], restore_value=["x"])
@triton.jit
def tuned_restored(x, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.store(x + lanes, tl.load(x + lanes, mask=lanes < n) * 2, mask=lanes < n)


@case()
def autotuned_in_place_and_restored():
    x = torch.randn(100)
    wanted = x * 2
    tuned_restored[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](x, 100)
    return [(x, wanted)]


@triton.autotune(configs=CONFIGS, key=["n"], reset_to_zero=["out"])
@triton.jit
def tuned_sum(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    tl.atomic_add(out, tl.sum(tl.load(x + lanes, mask=lanes < n, other=0.0), axis=0))


@case()
def autotuned_accumulator_reset():
    x, out = torch.randn(100), torch.zeros(1)
    tuned_sum[lambda meta: (triton.cdiv(100, meta["BLOCK"]),)](x, out, 100)
    return [(out[0], x.sum())]


@triton.heuristics({"EVEN": lambda args: args["n"] % args["BLOCK"] == 0})
@triton.jit
def with_heuristics(x, out, n, BLOCK: tl.constexpr, EVEN: tl.constexpr):
    lanes = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    if EVEN:
        tl.store(out + lanes, tl.load(x + lanes) + 1)
    else:
        tl.store(out + lanes, tl.load(x + lanes, mask=lanes < n) + 1, mask=lanes < n)


@case()
def heuristics():
    pairs = []
    for size in (64, 100):
        x, out = torch.randn(size), torch.empty(size)
        with_heuristics[(triton.cdiv(size, 32),)](x, out, size, BLOCK=32)
        pairs.append((out, x + 1))
    return pairs
