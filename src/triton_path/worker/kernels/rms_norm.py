"""RMSNorm: eight eager kernels as LLaMA writes them, and one that reads each element once.

    out = weight * x / sqrt(mean(x^2) + eps)

x and out are (rows, width), weight is (width,), the mean is over a row. (Zhang and Sennrich,
"Root Mean Square Layer Normalization", 2019.)

The mean of squares must not be taken in 16 bits, so the chain goes to float32 and back: in 16
bits eight kernels and 36 bytes an element. It has to move 4, one read and one write, and one
weight for each column; so the limit is the time of a copy. A row must be read completely before
its first output is known:

- `rms_norm_kernel` keeps it in registers meanwhile, in its own 16 bits. As float32 it would take
  twice as many, and fewer programs would fit on a multiprocessor.
- `wide_kernel`, for more than IN_REGISTERS columns, reads it twice: the second time from a cache.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from triton_path.worker.kernels.softmax import IN_REGISTERS, layout_of_one
from triton_path.worker.kernels.step import Step
from triton_path.worker.kernels.vector_add import check_rows, dense_like

if TYPE_CHECKING:
    from triton_path.worker.kernels.row_layout import Layout

EPS = 1e-6


def eager(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return the norm of each row of `x` as LLaMA computes it: eight kernels in 16 bits."""
    wide = x.to(torch.float32)
    mean_square = wide.pow(2).mean(-1, keepdim=True)
    return weight * (wide * torch.rsqrt(mean_square + EPS)).to(x.dtype)


def best_eager(x: torch.Tensor, weight: torch.Tensor) -> torch.Tensor:
    """Return it with the most that PyTorch has ready-made: one kernel from some release on."""
    return F.rms_norm(x, (x.shape[-1],), weight, EPS)


@triton.jit
def rms_norm_kernel(
    x_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_stride: tl.tensor,
    width: tl.tensor,
    eps: tl.float32,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """Do one row a program, held in registers as CHUNKS blocks of CHUNK lanes."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 in large tensors
    squares = tl.zeros([CHUNK], tl.float32)
    held = ()
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        # Lanes past the end hold 0 and add nothing.
        x = tl.load(x_ptr + row * x_stride + column, mask=column < width, other=0.0)
        wide = x.to(tl.float32)
        squares += wide * wide
        held = held + (x,)  # type: ignore[assignment]  # noqa: RUF005 -- Triton knows no star

    scale = tl.rsqrt(tl.sum(squares, 0) / width + eps)
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        inside = column < width
        weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
        out = held[index].to(tl.float32) * scale * weight
        tl.store(out_ptr + row * width + column, out.to(out_ptr.dtype.element_ty), mask=inside)


@triton.jit
def wide_kernel(
    x_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_stride: tl.tensor,
    width: tl.tensor,
    eps: tl.float32,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
) -> None:
    """Do one row a program in two passes, CHUNKS blocks of CHUNK lanes at a time."""
    row = tl.program_id(0).to(tl.int64)
    x_ptr += row * x_stride
    out_ptr += row * width
    STEP: tl.constexpr = CHUNK * CHUNKS
    squares = tl.zeros([CHUNK], tl.float32)
    for first in tl.range(0, width, STEP):
        for index in tl.static_range(CHUNKS):
            column = first + index * CHUNK + tl.arange(0, CHUNK)
            x = tl.load(x_ptr + column, mask=column < width, other=0.0).to(tl.float32)
            squares += x * x

    scale = tl.rsqrt(tl.sum(squares, 0) / width + eps)
    last = (width - 1) // STEP * STEP
    # Backwards: what was read last is the likeliest to be in the cache still.
    for back in tl.range(0, width, STEP):
        for index in tl.static_range(CHUNKS):
            column = last - back + index * CHUNK + tl.arange(0, CHUNK)
            inside = column < width
            x = tl.load(x_ptr + column, mask=inside, other=0.0).to(tl.float32)
            weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
            out = (x * scale * weight).to(out_ptr.dtype.element_ty)
            tl.store(out_ptr + column, out, mask=inside)


def fused(
    x: torch.Tensor,
    weight: torch.Tensor,
    *,
    into: torch.Tensor | None = None,
    layout: Layout | None = None,
) -> torch.Tensor:
    """Return the norm of each row from one launch.

    x: (rows, width), any row stride, unit column stride, of bfloat16, float16 or float32.
    weight: (width,), contiguous, of the same dtype. `into`: a contiguous tensor to write to,
    instead of a new one. `layout`: another than the one chosen for the width.
    Raises ValueError for inputs that the kernel cannot take.
    """
    rows, width = check_rows(x)
    check_columns(x, weight)
    out = dense_like(x, into)
    layout = layout or layout_of_one(width, x.element_size())
    kernel = rms_norm_kernel if layout.chunk * layout.chunks >= width else wide_kernel
    kernel[(rows,)](
        x,
        weight,
        out,
        x.stride(0),
        width,
        EPS,
        CHUNK=layout.chunk,
        CHUNKS=layout.chunks,
        num_warps=layout.warps,
    )
    return out


def check_columns(x: torch.Tensor, *columns: torch.Tensor) -> None:
    """Raise ValueError unless each of `columns` has one element for each column of `x`."""
    width = x.shape[1]
    for each in columns:
        if (each.shape, each.dtype, each.device) != ((width,), x.dtype, x.device):
            raise ValueError(
                f"for rows of {width} of {x.dtype} on {x.device}, expected ({width},) of the same, "
                f"not {tuple(each.shape)} of {each.dtype} on {each.device}"
            )
        if not each.is_contiguous():
            raise ValueError("weight and bias must be contiguous")


def fused_steps(rows: int, width: int, size: int) -> list[Step]:
    """List the one kernel of `fused`, for elements of `size` bytes: 4 an element in 16 bits.

    The second read of a wide row is counted as the cache's, not the memory's.
    """
    own = rows * width * size
    name = "rms_norm_kernel" if width <= IN_REGISTERS else "wide_kernel"
    return [Step(name, own + width * size, own)]
