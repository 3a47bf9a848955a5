"""Softmax over rows: five eager kernels, and one that reads each element once.

    out[i, j] = exp(x[i, j] - m[i]) / sum over k of exp(x[i, k] - m[i]),   m[i] = max of row i

x and out are (rows, width). Without m, exp overflows from 89 on in float32; with it, the largest
exponent is 0, and the quotient is the same.

Written out it is max, subtract, exp, sum and divide: five kernels and 16 bytes an element in 16
bits. It has to move 4, one read and one write; so the limit is the time of a copy. A row depends
on all of its elements twice, first for the maximum and then for the sum. To read it only once a
program keeps it:

- `softmax_kernel` keeps the row in registers, up to IN_REGISTERS columns.
- `wide_kernel` cannot. It finds maximum and sum in one pass (`online_sum`), and then reads the row
  again. By then the row lies in a cache, and the second read costs the memory little.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from triton_path.worker.kernels.row_layout import Layout, layout_for
from triton_path.worker.kernels.step import Step
from triton_path.worker.kernels.vector_add import check_rows, dense_like

IN_REGISTERS = 16384
"""Columns. A multiprocessor has 65536 registers of 32 bits: two programs with such a row fit on it,
so that one loads while the other computes."""

PREFERRED = {
    1024: Layout(1024, 1, 2),
    2048: Layout(2048, 1, 4),
    4096: Layout(4096, 1, 8),
    8192: Layout(8192, 1, 16),
    16384: Layout(4096, 4, 16),
}
"""For kernels that read one tensor and write one: 16 elements a thread, or 32 in wide rows.

Chosen from the registers that the compiler reports, so that every multiprocessor is full; not
timed yet (scripts/bench_kernels_on_gpu.py does).
"""


def eager(x: torch.Tensor) -> torch.Tensor:
    """Return the softmax of each row of `x`, (rows, width), written out: five kernels."""
    powers = torch.exp(x - x.amax(-1, keepdim=True))
    return powers / powers.sum(-1, keepdim=True)


def best_eager(x: torch.Tensor) -> torch.Tensor:
    """Return the softmax of each row with the most that PyTorch has ready-made: one kernel."""
    return torch.softmax(x, -1)


@triton.jit
def exp(x: tl.tensor) -> tl.tensor:
    """Return e^x, and 0 below 2^-126: on those numbers tl.exp spends three more instructions.

    There are so many powers in a softmax that it could be bound by instructions, not by memory.
    """
    return tl.exp2(x * 1.4426950408889634)  # log2(e)


@triton.jit
def softmax_kernel(
    x_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_stride: tl.tensor,
    width: tl.tensor,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """Do one row a program, held in registers as CHUNKS blocks of CHUNK lanes."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 in large tensors
    peaks = tl.full([CHUNK], -float("inf"), tl.float32)
    held = ()
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        # Lanes past the end hold -inf: never the maximum, and exp makes 0 of it.
        x = tl.load(x_ptr + row * x_stride + column, mask=column < width, other=-float("inf"))
        peaks = tl.maximum(peaks, x.to(tl.float32))
        held = held + (x,)  # type: ignore[assignment]  # noqa: RUF005 -- Triton knows no star

    peak = tl.max(peaks, 0)
    sums = tl.zeros([CHUNK], tl.float32)
    powers = ()
    for index in tl.static_range(CHUNKS):
        power = exp(held[index].to(tl.float32) - peak)
        sums += power
        powers = powers + (power,)  # noqa: RUF005

    scale = 1.0 / tl.sum(sums, 0)
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        out = (powers[index] * scale).to(out_ptr.dtype.element_ty)
        tl.store(out_ptr + row * width + column, out, mask=column < width)


@triton.jit
def online_sum(
    row_ptr: tl.tensor,
    width: tl.tensor,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> tuple[tl.tensor, tl.tensor]:
    """Return (peak, total) of a row in one pass: its maximum, and the sum of exp(x - peak).

    Each lane keeps a maximum and a sum of its own. Where the maximum rises, the sum so far was
    taken to the wrong power and is scaled down; once for CHUNKS elements, as exponentials are not
    free. The lanes meet only at the end. (Milakov and Gimelshein, "Online normalizer calculation
    for softmax", 2018.)
    """
    peaks = tl.full([CHUNK], -float("inf"), tl.float32)
    sums = tl.zeros([CHUNK], tl.float32)
    for first in tl.range(0, width, CHUNK * CHUNKS):
        held = ()
        higher = peaks
        for index in tl.static_range(CHUNKS):
            column = first + index * CHUNK + tl.arange(0, CHUNK)
            x = tl.load(row_ptr + column, mask=column < width, other=-float("inf")).to(tl.float32)
            higher = tl.maximum(higher, x)
            held = held + (x,)  # type: ignore[assignment]  # noqa: RUF005
        # A lane that saw nothing but -inf: -inf - (-inf) would be no number.
        base = tl.where(higher == -float("inf"), 0.0, higher)
        sums *= exp(peaks - base)
        for index in tl.static_range(CHUNKS):
            sums += exp(held[index] - base)
        peaks = higher
    peak = tl.max(peaks, 0)
    base = tl.where(peak == -float("inf"), 0.0, peak)
    return peak, tl.sum(sums * exp(peaks - base), 0)


@triton.jit
def wide_kernel(
    x_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_stride: tl.tensor,
    width: tl.tensor,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """Do one row a program in two passes, CHUNKS blocks of CHUNK lanes at a time."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * x_stride
    out_ptr += row * width
    peak, total = online_sum(x_ptr, width, CHUNK, CHUNKS)
    scale = 1.0 / total
    STEP: tl.constexpr = CHUNK * CHUNKS
    last = (width - 1) // STEP * STEP
    # Backwards: what was read last is the likeliest to be in the cache still.
    for back in tl.range(0, width, STEP):
        for index in tl.static_range(CHUNKS):
            column = last - back + index * CHUNK + tl.arange(0, CHUNK)
            x = tl.load(x_ptr + column, mask=column < width, other=0.0).to(tl.float32)
            out = (exp(x - peak) * scale).to(out_ptr.dtype.element_ty)
            tl.store(out_ptr + column, out, mask=column < width)


def layout_of_one(width: int, size: int) -> Layout:
    """Return how a program takes a row of `width` elements of `size` bytes, of one tensor.

    Wider than IN_REGISTERS it is less than the row: a step of a pass over it.
    """
    if width > IN_REGISTERS:
        return steps_of(width, size)
    layout = PREFERRED.get(width)
    if layout is None:
        return layout_for(width, size)
    return layout._replace(warps=min(layout.warps * max(size // 2, 1), 32))


def steps_of(width: int, size: int) -> Layout:
    """Return the step of a pass over a row of `width` elements that is read twice.

    Every thread loads 16 bytes at once, four times before it uses the first. At most 16 warps:
    two such programs fit on a multiprocessor, so that one loads while the other computes; with
    more of them, their rows would no longer fit in its cache.
    """
    vector = 16 // size
    warps = min(max(triton.next_power_of_2(width) // (32 * 4 * vector), 1), 16)
    return Layout(chunk=warps * 32 * vector, chunks=4, warps=warps)


def fused(
    x: torch.Tensor, *, into: torch.Tensor | None = None, layout: Layout | None = None
) -> torch.Tensor:
    """Return the softmax of each row from one launch.

    x: (rows, width), any row stride, unit column stride, of bfloat16, float16 or float32. A row
    of nothing but -inf becomes NaN, as in PyTorch. `into`: a contiguous tensor to write to,
    instead of a new one. `layout`: another than the one chosen for the width.
    Raises ValueError for inputs that the kernel cannot take.
    """
    rows, width = check_rows(x)
    out = dense_like(x, into)
    layout = layout or layout_of_one(width, x.element_size())
    kernel = softmax_kernel if layout.chunk * layout.chunks >= width else wide_kernel
    kernel[(rows,)](
        x,
        out,
        x.stride(0),
        width,
        CHUNK=layout.chunk,
        CHUNKS=layout.chunks,
        num_warps=layout.warps,
    )
    return out


def fused_steps(rows: int, width: int, size: int) -> list[Step]:
    """List the one kernel of `fused`, for elements of `size` bytes: 4 an element in 16 bits.

    The second read of a wide row is counted as the cache's, not the memory's.
    """
    own = rows * width * size
    return [Step("softmax_kernel" if width <= IN_REGISTERS else "wide_kernel", own, own)]
