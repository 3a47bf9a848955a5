"""Blocks asked for one truth value, assertions, loops without end, and errors of Python."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

import torch
import triton
import triton.language as tl
import triton.testing
from triton.testing import do_bench

from tests.worker.watch.cases import case, rejected_when_compiled


@triton.jit
def and_of_masks(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    inside = (lanes < n) and (lanes > 2)  # fault: block-boolean
    tl.store(out + lanes, tl.load(x + lanes, mask=inside), mask=inside)


@case()
def masks_joined_by_and():
    and_of_masks[(1,)](torch.randn(16), torch.zeros(16), 10, BLOCK=16)


@triton.jit
def or_on_one_line(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes, mask=(lanes < n) or (lanes > 12), other=0.0)  # fault: block-boolean
    tl.store(out + lanes, values)


@case()
def masks_joined_by_or():
    or_on_one_line[(1,)](torch.randn(16), torch.zeros(16), 10, BLOCK=16)


@triton.jit
def chained(x, out, n, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    inside = 2 < lanes < n  # fault: chained-comparison
    tl.store(out + lanes, tl.load(x + lanes, mask=inside), mask=inside)


@case()
def comparison_in_a_chain():
    chained[(1,)](torch.randn(16), torch.zeros(16), 10, BLOCK=16)


@triton.jit
def branch(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    if values > 0:  # fault: block-condition
        tl.store(out + lanes, values)


@case()
def branch_on_a_block():
    branch[(1,)](torch.randn(16), torch.zeros(16), BLOCK=16)


@triton.jit
def choose(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    tl.store(out + lanes, values if values > 0 else 0.0)  # fault: block-condition


@case()
def conditional_expression_on_a_block():
    choose[(1,)](torch.randn(16), torch.zeros(16), BLOCK=16)


@triton.jit
def loop_on_block(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    while values > 1:  # fault: block-condition
        values = values / 2
    tl.store(out + lanes, values)


@case()
def loop_on_a_block():
    loop_on_block[(1,)](torch.rand(16) * 9, torch.zeros(16), BLOCK=16)


@triton.jit
def scalar_logic(x, out, n, BLOCK: tl.constexpr):
    at, lanes = tl.program_id(0), tl.arange(0, BLOCK)
    positive = tl.load(x + lanes) > 0
    if at < n and not at > 2:
        tl.store(out + at, 1.0)
    elif 0 <= at <= 3:
        tl.store(out + at, tl.sum((not positive).to(tl.float32), axis=0))


@rejected_when_compiled
@case()
def logic_of_scalars():
    x, out = torch.tensor([1.0, -1.0, -2.0, 3.0]), torch.empty(4)
    scalar_logic[(4,)](x, out, 9, BLOCK=4)
    return [(out, torch.tensor([1.0, 1.0, 1.0, 2.0]))]


@triton.jit
def assert_positive(x, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))
    tl.device_assert(values > 0, "must be positive")  # fault: device-assert


@case()
def device_assertion():
    assert_positive[(1,)](torch.tensor([1.0, -1.0, 2.0, 3.0]), BLOCK=4)


@triton.jit
def assert_of_python(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    assert values > 0, "must be positive"  # fault: device-assert
    tl.store(out + lanes, values)


@case()
def assert_statement():
    assert_of_python[(1,)](torch.tensor([1.0, -1.0, 2.0, 3.0]), torch.zeros(4), BLOCK=4)


@case()
def assert_statement_that_holds():
    x, out = torch.rand(4) + 1, torch.empty(4)
    assert_of_python[(1,)](x, out, BLOCK=4)
    return [(out, x)]


@triton.jit
def assume_wrongly(n, out):
    tl.assume(n > 10)  # fault: false-assumption
    tl.store(out, 1.0)


@case()
def false_assumption():
    assume_wrongly[(1,)](5, torch.zeros(1))


@triton.jit
def never_ends(out):
    while tl.program_id(0) < 10:  # fault: endless-loop
        pass


@case(time_limit_s=0.3)
def endless_loop():
    never_ends[(1,)](torch.zeros(1))


@triton.jit
def shapes_differ(x, out):
    tl.store(out + tl.arange(0, 8), tl.load(x + tl.arange(0, 4)))  # fault: kernel-error


@case()
def shapes_that_do_not_broadcast():
    shapes_differ[(1,)](torch.zeros(4), torch.zeros(8))


@triton.jit
def unknown_name(x):
    tl.store(x, undefined_name)  # noqa: F821  # fault: kernel-error


@case()
def name_that_does_not_exist():
    unknown_name[(1,)](torch.zeros(1))


@triton.jit
def documented(x, out):
    """Copy one element.

    def is a word that Triton's own rewriting stumbles over at the start of a line.
    """
    tl.store(out, tl.load(x))


@case()
def docstring_with_def():
    x, out = torch.randn(1), torch.empty(1)
    documented[(1,)](x, out)
    return [(out, x)]


def make_scaler(factor):
    @triton.jit
    def scale(x, out):
        tl.store(out, tl.load(x) * factor)

    return scale


@rejected_when_compiled
@case()
def kernel_with_a_closure():
    x, out = torch.randn(1), torch.empty(1)
    make_scaler(3.0)[(1,)](x, out)
    return [(out, x * 3)]


@triton.jit
def flagged(out, twice, n):
    if twice:
        n = n * 2
    tl.store(out, n)


@rejected_when_compiled
@case()
def arguments_that_are_scalars():
    out = torch.empty(2, dtype=torch.int32)
    flagged[(1,)](out, True, 21)
    flagged[(1,)](out[1:], False, 1)
    return [(out, torch.tensor([42, 1], dtype=torch.int32))]


@case()
def timing():
    triton.testing.do_bench(lambda: None)  # fault: timing-refused


@case()
def timing_by_an_imported_name():
    do_bench(lambda: None)  # fault: timing-refused


@triton.jit
def loops(out, n, steps: tl.constexpr):
    total = 0
    for i in range(0, n, 2):
        total += i.to(tl.int64)
    for i in tl.range(3, num_stages=2):
        total += i * 10
    for i in tl.range(n, n + 4, 2):
        total += i * 100
    for i in tl.static_range(1, steps):
        total += (1, 2, 3)[i] * 10_000
    for i in range(n, 0, -1):
        total += i * 0
    tl.store(out, total)


@rejected_when_compiled
@case()
def variables_of_loops():
    out = torch.empty(1, dtype=torch.int64)
    loops[(1,)](out, 6, steps=3)
    return [(out, torch.tensor([0 + 2 + 4 + 30 + 600 + 800 + 50_000]))]
