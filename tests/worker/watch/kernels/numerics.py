"""Arithmetic that Triton's own interpreter gets wrong or cannot do."""

# ruff: noqa: N803  (Triton's convention: constexpr names are capitals)
from __future__ import annotations

import torch
import triton
import triton.language as tl
from triton.language.extra import libdevice
from triton.language.extra.cuda import libdevice as cuda_libdevice

from tests.worker.watch.cases import case


@triton.jit
def arithmetic(x, y, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    a, b = tl.load(x + lanes), tl.load(y + lanes)
    tl.store(out + lanes, a + b)
    tl.store(out + BLOCK + lanes, a * b)
    tl.store(out + 2 * BLOCK + lanes, a / b)
    tl.store(out + 3 * BLOCK + lanes, tl.where(a < b, -a, tl.abs(b)))
    tl.store(out + 4 * BLOCK + lanes, tl.maximum(a, b) - 1.5)


@case()
def bfloat16_by_element():
    x, y = torch.randn(256).bfloat16(), torch.randn(256).bfloat16()
    out = torch.empty(5, 256, dtype=torch.bfloat16)
    arithmetic[(1,)](x, y, out, BLOCK=256)
    wanted = torch.stack(
        [x + y, x * y, x / y, torch.where(x < y, -x, y.abs()), torch.maximum(x, y) - 1.5]
    )
    return [(out.view(torch.int16), wanted.view(torch.int16))]


@triton.jit
def convert(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    tl.store(out + lanes, tl.load(x + lanes).to(out.dtype.element_ty))


@case()
def bfloat16_conversions():
    pairs = []
    x = torch.cat([torch.randn(4000) * 100, torch.tensor([float("inf"), -float("inf")] * 48)])
    for source, target in (
        (torch.float32, torch.bfloat16),
        (torch.bfloat16, torch.float32),
        (torch.bfloat16, torch.float16),
        (torch.float16, torch.bfloat16),
        (torch.float64, torch.bfloat16),
    ):
        given = x.to(source)
        out = torch.empty(4096, dtype=target)
        convert[(1,)](given, out, BLOCK=4096)
        pairs.append((out, given.to(target)))
    whole = torch.randint(-1000, 1000, (64,), dtype=torch.int32)
    out = torch.empty(64, dtype=torch.bfloat16)
    convert[(1,)](whole, out, BLOCK=64)
    back = torch.empty(64, dtype=torch.int32)
    convert[(1,)](out, back, BLOCK=64)
    return [*pairs, (out, whole.bfloat16()), (back, out.int())]


@triton.jit
def multiply(a, b, c, SIZE: tl.constexpr):
    lanes = tl.arange(0, SIZE)
    at = lanes[:, None] * SIZE + lanes[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at)))


@case()
def dot_of_bfloat16_in_float32():
    a, b = torch.randn(32, 32).bfloat16(), torch.randn(32, 32).bfloat16()
    c = torch.empty(32, 32)
    multiply[(1,)](a, b, c, SIZE=32)
    return [(c, a.float() @ b.float())]


@triton.jit
def multiply_as(a, b, c, SIZE: tl.constexpr, PRECISION: tl.constexpr):
    lanes = tl.arange(0, SIZE)
    at = lanes[:, None] * SIZE + lanes[None, :]
    product = tl.dot(tl.load(a + at), tl.load(b + at), input_precision=PRECISION)
    tl.store(c + at, product)


@triton.jit
def multiply_allowing(a, b, c, SIZE: tl.constexpr, ALLOWED: tl.constexpr):
    lanes = tl.arange(0, SIZE)
    at = lanes[:, None] * SIZE + lanes[None, :]
    tl.store(c + at, tl.dot(tl.load(a + at), tl.load(b + at), allow_tf32=ALLOWED))


def cut(values):
    """Keep 10 bits of mantissa, as the tensor cores of an H200 do."""
    return (values.view(torch.int32) & -(1 << 13)).view(torch.float32)


@case()
def dot_of_float32_reads_tf32():
    one, x = torch.eye(32), torch.randn(32, 32)
    pairs = []
    for run, wanted in (
        (lambda c: multiply[(1,)](x, one, c, SIZE=32), cut(x)),
        (lambda c: multiply[(1,)](one, x, c, SIZE=32), cut(x)),
        (lambda c: multiply_as[(1,)](x, one, c, SIZE=32, PRECISION="tf32"), cut(x)),
        (lambda c: multiply_allowing[(1,)](x, one, c, SIZE=32, ALLOWED=True), cut(x)),
        (lambda c: multiply_allowing[(1,)](x, one, c, SIZE=32, ALLOWED=False), x),
        (lambda c: multiply_as[(1,)](x, one, c, SIZE=32, PRECISION="ieee"), x),
    ):
        c = torch.empty(32, 32)
        run(c)
        pairs.append((c.view(torch.int32), wanted.view(torch.int32)))
    c = torch.empty(32, 32)
    multiply_as[(1,)](x, one, c, SIZE=32, PRECISION="tf32x3")
    return [*pairs, (c, x)]


@triton.jit
def reduce(x, out, BLOCK: tl.constexpr):
    values = tl.load(x + tl.arange(0, BLOCK))
    tl.store(out, tl.sum(values, axis=0))
    tl.store(out + 1, tl.max(values, axis=0))
    tl.store(out + 2, tl.argmax(values, axis=0).to(tl.float32))
    tl.store(out + 3, tl.max(tl.cumsum(values, axis=0), axis=0))


@case()
def reductions_of_bfloat16():
    x, out = torch.randint(-8, 8, (64,)).bfloat16(), torch.empty(4)
    x[17] = 9
    reduce[(1,)](x, out, BLOCK=64)
    wanted = torch.stack([x.float().sum(), x.max().float(), torch.tensor(17.0), out[3]])
    return [(out, wanted), (out[3], x.float().cumsum(0).max())]


@triton.jit
def add_atomically(out):
    tl.atomic_add(out, 1.0)


@case()
def atomics_of_bfloat16():
    out = torch.zeros(1, dtype=torch.bfloat16)
    add_atomically[(10,)](out)
    return [(out, torch.full_like(out, 10))]


@triton.jit
def of_libdevice(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    tl.store(out + lanes, libdevice.tanh(values))
    tl.store(out + BLOCK + lanes, libdevice.log1p(values))
    tl.store(out + 2 * BLOCK + lanes, cuda_libdevice.pow(values, 2.5))
    tl.store(out + 3 * BLOCK + lanes, libdevice.rsqrt(values) + libdevice.lgamma(values))
    tl.store(out + 4 * BLOCK + lanes, tl.erf(values))


@case()
def functions_of_libdevice():
    x, out = torch.rand(64) + 0.1, torch.empty(5, 64)
    of_libdevice[(1,)](x, out, BLOCK=64)
    wanted = [x.tanh(), x.log1p(), x**2.5, x.rsqrt() + x.lgamma(), x.erf()]
    return [(out, torch.stack(wanted))]


@triton.jit
def in_assembler(x, out):
    value = tl.inline_asm_elementwise(  # fault: not-modelled
        "ex2.approx.f32 $0, $1;", "=f,f", [tl.load(x)], dtype=tl.float32, is_pure=True, pack=1
    )
    tl.store(out, value)


@case()
def inline_assembler():
    in_assembler[(1,)](torch.ones(1), torch.zeros(1))


@triton.jit
def rearrange(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    tl.store(out + lanes, tl.sort(values))
    tl.store(out + BLOCK + lanes, tl.flip(values, 0))
    left, right = tl.split(tl.reshape(values, (BLOCK // 2, 2)))
    tl.store(out + 2 * BLOCK + lanes, tl.reshape(tl.join(right, left), (BLOCK,)))
    tl.store(out + 3 * BLOCK + lanes, tl.cumsum(values, axis=0))


@case()
def blocks_rearranged():
    x, out = torch.randn(32), torch.empty(4, 32)
    rearrange[(1,)](x, out, BLOCK=32)
    wanted = [x.sort().values, x.flip(0), x.view(16, 2).flip(1).reshape(-1), x.cumsum(0)]
    return [(out, torch.stack(wanted))]


@triton.jit
def combine(a_scale, a_shift, b_scale, b_shift):
    return a_scale * b_scale, b_scale * a_shift + b_shift


@triton.jit
def linear_recurrence(scale, shift, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    pair = (tl.load(scale + lanes), tl.load(shift + lanes))
    _, state = tl.associative_scan(pair, 0, combine)
    tl.store(out + lanes, state)


@case()
def scan_with_a_combination_of_ones_own():
    scale, shift, out = torch.rand(16), torch.rand(16), torch.empty(16)
    linear_recurrence[(1,)](scale, shift, out, BLOCK=16)
    state, wanted = torch.zeros(()), []
    for a, b in zip(scale, shift, strict=True):
        state = a * state + b
        wanted.append(state)
    return [(out, torch.stack(wanted))]


@triton.jit
def integers(x, out, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    tl.store(out + lanes, values // 3)
    tl.store(out + BLOCK + lanes, values % 3)
    tl.store(out + 2 * BLOCK + lanes, values >> 1)
    tl.store(out + 3 * BLOCK + lanes, tl.histogram(values & 7, BLOCK))


@case()
def integers_as_in_c():
    x = torch.tensor([-7, -1, 0, 1, 2, 7, 8, 100], dtype=torch.int32)
    out = torch.empty(4, 8, dtype=torch.int32)
    integers[(1,)](x, out, BLOCK=8)
    quotient = torch.div(x, 3, rounding_mode="trunc")
    counts = torch.bincount((x & 7).long(), minlength=8)
    return [(out, torch.stack([quotient, x - quotient * 3, x >> 1, counts.int()]))]


@triton.jit
def scaled(x, out, factor, BLOCK: tl.constexpr):
    lanes = tl.arange(0, BLOCK)
    values = tl.load(x + lanes)
    tl.store(out + lanes, values * factor.to(tl.float32))


@case()
def a_float_argument_is_a_tensor():
    x, out = torch.randn(8), torch.empty(8)
    scaled[(1,)](x, out, 0.1, BLOCK=8)
    return [(out, x * 0.1)]


@case()
def float8_rounds_to_even():
    x = torch.cat([torch.randn(1000), torch.tensor([1.0625, 1.1875, 1e9] * 8)])
    pairs = []
    for dtype in (torch.float8_e4m3fn, torch.float8_e5m2):
        out, back = torch.empty(1024, dtype=dtype), torch.empty(1024)
        convert[(1,)](x, out, BLOCK=1024)
        convert[(1,)](out, back, BLOCK=1024)
        most = torch.finfo(dtype).max
        wanted = x.clamp(-most, most).to(dtype)
        pairs += [(out.view(torch.uint8), wanted.view(torch.uint8)), (back, wanted.float())]
    return pairs
