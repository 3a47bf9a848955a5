"""LayerNorm: eleven eager kernels, and one that reads each element once.

    out = weight * (x - mean) / sqrt(variance + eps) + bias

x and out are (rows, width), weight and bias are (width,); mean and variance are of a row, the
variance being mean((x - mean)^2). (Ba, Kiros and Hinton, "Layer Normalization", 2016.)

Written out in 16 bits it is eleven kernels and 52 bytes an element. It has to move 4, one read
and one write; so the limit is the time of a copy. There is a trap in it. mean(x^2) - mean^2 equals
the variance and would need one sum where (x - mean)^2 needs the mean first. But where the mean is
much larger than the spread, two large numbers cancel, and with them the digits. The row is in
registers anyway, so the second sum costs no byte: the kernel takes both, one after the other. Of
more than IN_REGISTERS columns `wide_kernel` takes them in two passes, the second from a cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from triton_path.worker.kernels.rms_norm import check_columns
from triton_path.worker.kernels.softmax import IN_REGISTERS, layout_of_one
from triton_path.worker.kernels.step import Step
from triton_path.worker.kernels.vector_add import check_rows, dense_like

if TYPE_CHECKING:
    from triton_path.worker.kernels.row_layout import Layout

EPS = 1e-5


def eager(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Return the norm of each row of `x`, written out: eleven kernels in 16 bits."""
    wide = x.to(torch.float32)
    centred = wide - wide.mean(-1, keepdim=True)
    variance = centred.pow(2).mean(-1, keepdim=True)
    return (centred * torch.rsqrt(variance + EPS)).to(x.dtype) * weight + bias


def best_eager(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor) -> torch.Tensor:
    """Return it with the most that PyTorch has ready-made: one kernel."""
    return F.layer_norm(x, (x.shape[-1],), weight, bias, EPS)


@triton.jit
def layer_norm_kernel(
    x_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    bias_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_stride: tl.tensor,
    width: tl.tensor,
    eps: tl.float32,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """Do one row a program, held in registers as CHUNKS blocks of CHUNK lanes."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 in large tensors
    sums = tl.zeros([CHUNK], tl.float32)
    held = ()
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        x = tl.load(x_ptr + row * x_stride + column, mask=column < width, other=0.0)
        sums += x.to(tl.float32)
        held = held + (x,)  # type: ignore[assignment]  # noqa: RUF005 -- Triton knows no star

    mean = tl.sum(sums, 0) / width
    squares = tl.zeros([CHUNK], tl.float32)
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        # Lanes past the end hold 0, which is not the mean: they must not count.
        centred = tl.where(column < width, held[index].to(tl.float32) - mean, 0.0)
        squares += centred * centred

    scale = tl.rsqrt(tl.sum(squares, 0) / width + eps)
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        inside = column < width
        weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
        bias = tl.load(bias_ptr + column, mask=inside, other=0.0).to(tl.float32)
        out = (held[index].to(tl.float32) - mean) * scale * weight + bias
        tl.store(out_ptr + row * width + column, out.to(out_ptr.dtype.element_ty), mask=inside)


@triton.jit
def wide_kernel(
    x_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    bias_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_stride: tl.tensor,
    width: tl.tensor,
    eps: tl.float32,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """Do one row a program in three passes, CHUNKS blocks of CHUNK lanes at a time."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * x_stride
    out_ptr += row * width
    STEP: tl.constexpr = CHUNK * CHUNKS
    last = (width - 1) // STEP * STEP
    sums = tl.zeros([CHUNK], tl.float32)
    for first in tl.range(0, width, STEP):
        for index in tl.static_range(CHUNKS):
            column = first + index * CHUNK + tl.arange(0, CHUNK)
            sums += tl.load(x_ptr + column, mask=column < width, other=0.0).to(tl.float32)

    mean = tl.sum(sums, 0) / width
    squares = tl.zeros([CHUNK], tl.float32)
    # There and back: what was read last is the likeliest to be in the cache still.
    for back in tl.range(0, width, STEP):
        for index in tl.static_range(CHUNKS):
            column = last - back + index * CHUNK + tl.arange(0, CHUNK)
            x = tl.load(x_ptr + column, mask=column < width, other=0.0).to(tl.float32)
            centred = tl.where(column < width, x - mean, 0.0)
            squares += centred * centred

    scale = tl.rsqrt(tl.sum(squares, 0) / width + eps)
    for first in tl.range(0, width, STEP):
        for index in tl.static_range(CHUNKS):
            column = first + index * CHUNK + tl.arange(0, CHUNK)
            inside = column < width
            x = tl.load(x_ptr + column, mask=inside, other=0.0).to(tl.float32)
            weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
            bias = tl.load(bias_ptr + column, mask=inside, other=0.0).to(tl.float32)
            out = (x - mean) * scale * weight + bias
            tl.store(out_ptr + column, out.to(out_ptr.dtype.element_ty), mask=inside)


def fused(
    x: torch.Tensor,
    weight: torch.Tensor,
    bias: torch.Tensor,
    *,
    into: torch.Tensor | None = None,
    layout: Layout | None = None,
) -> torch.Tensor:
    """Return the norm of each row from one launch.

    x: (rows, width), any row stride, unit column stride, of bfloat16, float16 or float32.
    weight, bias: (width,), contiguous, of the same dtype. `into`: a contiguous tensor to write to,
    instead of a new one. `layout`: another than the one chosen for the width.
    Raises ValueError for inputs that the kernel cannot take.
    """
    rows, width = check_rows(x)
    check_columns(x, weight, bias)
    out = dense_like(x, into)
    layout = layout or layout_of_one(width, x.element_size())
    kernel = layer_norm_kernel if layout.chunk * layout.chunks >= width else wide_kernel
    kernel[(rows,)](
        x,
        weight,
        bias,
        out,
        x.stride(0),
        width,
        EPS,
        CHUNK=layout.chunk,
        CHUNKS=layout.chunks,
        num_warps=layout.warps,
    )
    return out


def fused_steps(rows: int, width: int, size: int) -> list[Step]:
    """List the one kernel of `fused`, for elements of `size` bytes: 4 an element in 16 bits.

    The further reads of a wide row are counted as the cache's, not the memory's.
    """
    own = rows * width * size
    name = "layer_norm_kernel" if width <= IN_REGISTERS else "wide_kernel"
    return [Step(name, own + 2 * width * size, own)]
