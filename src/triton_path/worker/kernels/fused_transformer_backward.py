"""The backward of the T5 boundary: eighteen eager kernels, and two Triton kernels for all of them.

The forward (fused_transformer.py) gave h, the residual stream, and out, its RMSNorm by weight. Both
come back as gradients, dh and dout. With r = 1 / sqrt(mean(h^2) + eps) of each row:

    dresidual = dh + r * (weight * dout - h * r^2 * mean(weight * dout * h))
    dx        = dresidual * mask / (1 - p)
    dweight   = sum over rows of dout * h * r

Nothing was saved for this but h, which later layers keep alive anyway, and the seed: r is one
more sum over a row that has to be read for the other sum, and the mask is drawn a second time.
So five tensors have to move: dout, dh and h in, dresidual and dx out, 10 bytes an element in 16
bits. The limit is the time of a copy of as many bytes. Two launches, because of dweight: it is a
sum down all rows, and rows belong to different programs.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from triton_path.jobs.bench import MAX_WIDTH
from triton_path.worker.kernels.backward_layout import Layout, groups_for, layout_for
from triton_path.worker.kernels.fused_transformer import EPS, keep, threshold_of
from triton_path.worker.kernels.step import Step

Triple = tuple[torch.Tensor, torch.Tensor, torch.Tensor]
SUMMED_COLUMNS = 16


def reference(
    dout: torch.Tensor,
    dh: torch.Tensor,
    h: torch.Tensor,
    weight: torch.Tensor,
    mask: torch.Tensor,
    p: float,
) -> Triple:
    """Return (dx, dresidual, dweight) by the formulas above, in the dtype of the inputs."""
    r = torch.rsqrt(h.pow(2).mean(-1, keepdim=True) + EPS)
    pull = r.pow(2) * (weight * dout * h).mean(-1, keepdim=True)
    dresidual = dh + r * (weight * dout - h * pull)
    return dresidual * mask / (1 - p), dresidual, (dout * h * r).sum(0)


@triton.jit(do_not_specialize=["seed", "threshold"])
def boundary_backward_kernel(
    dout_ptr: tl.tensor,
    dh_ptr: tl.tensor,  # None: the residual stream was used no further
    h_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    dx_ptr: tl.tensor,
    dresidual_ptr: tl.tensor,
    partial_ptr: tl.tensor,
    dout_stride: tl.tensor,
    dh_stride: tl.tensor,
    h_stride: tl.tensor,
    rows: tl.tensor,
    width: tl.tensor,
    scale: tl.float32,
    eps: tl.float32,
    seed: tl.int64,
    seed_ptr: tl.tensor,  # None: the seed is the number before
    threshold: tl.uint32,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
    PARTS: tl.constexpr,
    ROUNDS: tl.constexpr,
    DROP: tl.constexpr,
    STAGES: tl.constexpr,
) -> None:
    """Do every so many-th row, or one part of it, and keep this program's share of dweight.

    A program takes many rows, so that its share of dweight stays in registers from first to last;
    with STAGES = 3 the loads of two rows ahead are on their way while a row is computed. A row
    too wide for registers is shared by PARTS programs: each reads all of it for the two sums, and
    keeps and writes its part; what its neighbours read as well should come from the L2 cache.
    """
    part = tl.program_id(0) if PARTS > 1 else 0  # a constant where there is one part
    group = tl.program_id(1)
    first = part * (CHUNKS * CHUNK)
    lane = tl.arange(0, CHUNK)
    if seed_ptr is not None:
        seed = tl.load(seed_ptr)
    per_width = 1.0 / width
    weights = ()
    dweights = ()
    for index in tl.static_range(CHUNKS):
        own = first + index * CHUNK + lane
        loaded = tl.load(weight_ptr + own, mask=own < width, other=0.0)
        weights = weights + (loaded.to(tl.float32),)  # type: ignore[assignment]  # noqa: RUF005
        dweights = dweights + (tl.zeros([CHUNK], tl.float32),)  # type: ignore[assignment]  # noqa: RUF005

    for row in tl.range(group, rows, tl.num_programs(1), num_stages=STAGES):
        wide_row = tl.cast(row, tl.int64)  # row * stride passes 2^31 in large tensors
        squares = tl.zeros([CHUNK], tl.float32)
        products = tl.zeros([CHUNK], tl.float32)
        held = ()
        for index in tl.static_range(CHUNKS * PARTS):
            # Its own part comes first, then the others in turn.
            start = (part * CHUNKS + index) % (CHUNKS * PARTS) * CHUNK
            column = start + lane
            inside = column < width
            h = tl.load(h_ptr + wide_row * h_stride + column, mask=inside, other=0.0)
            dout = tl.load(dout_ptr + wide_row * dout_stride + column, mask=inside, other=0.0)
            h32, dout32 = h.to(tl.float32), dout.to(tl.float32)
            if index >= CHUNKS:
                weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
            else:
                weight = weights[index]
                held = held + ((h32, dout32),)  # type: ignore[assignment]  # noqa: RUF005
            squares += h32 * h32
            products += dout32 * h32 * weight
        # One reduction of pairs, not two of numbers: its barriers are paid once.
        square, product = tl.split(tl.sum(tl.join(squares, products), 0))
        r = tl.rsqrt(square * per_width + eps)
        pull = product * per_width * r * r

        added = ()
        for index in tl.static_range(CHUNKS):
            start = first + index * CHUNK
            column = start + lane
            inside = column < width
            h32, dout32 = held[index]
            dresidual = r * (weights[index] * dout32 - h32 * pull)
            if dh_ptr is not None:
                dh = tl.load(dh_ptr + wide_row * dh_stride + column, mask=inside, other=0.0)
                dresidual += dh.to(tl.float32)
            at = wide_row * width + column
            tl.store(dresidual_ptr + at, dresidual.to(dresidual_ptr.dtype.element_ty), mask=inside)
            dx = dresidual
            if DROP:
                # The forward's own function, asked for the same row and columns: the same mask.
                kept = keep(seed, row, start, threshold, CHUNK, ROUNDS)
                dx = tl.where(kept, dresidual * scale, 0.0)
            tl.store(dx_ptr + at, dx.to(dx_ptr.dtype.element_ty), mask=inside)
            added = added + (dweights[index] + dout32 * h32 * r,)  # type: ignore[assignment]  # noqa: RUF005
        dweights = added

    for index in tl.static_range(CHUNKS):
        own = first + index * CHUNK + lane
        tl.store(partial_ptr + group * width + own, dweights[index], mask=own < width)


@triton.jit
def add_partials_kernel(
    partial_ptr: tl.tensor,
    dweight_ptr: tl.tensor,
    groups: tl.tensor,
    width: tl.tensor,
    GROUPS: tl.constexpr,
    COLUMNS: tl.constexpr,
) -> None:
    """Add the programs' shares, a few columns a program, always in the same order.

    Atomic additions would need no second launch, and give other last bits each time.
    """
    column = tl.program_id(0) * COLUMNS + tl.arange(0, COLUMNS)[None, :]
    total = tl.zeros([GROUPS, COLUMNS], tl.float32)
    for start in tl.range(0, groups, GROUPS):
        group = start + tl.arange(0, GROUPS)[:, None]
        inside = (group < groups) & (column < width)
        total += tl.load(partial_ptr + group * width + column, mask=inside, other=0.0)
    dweight = tl.sum(total, 0)[None, :]
    tl.store(dweight_ptr + column, dweight.to(dweight_ptr.dtype.element_ty), mask=column < width)


def backward(
    dout: torch.Tensor,
    dh: torch.Tensor | None,
    h: torch.Tensor,
    weight: torch.Tensor,
    p: float,
    *,
    seed: int | torch.Tensor,
    rounds: int = 7,
    into: Triple | None = None,
    layout: Layout | None = None,
) -> Triple:
    """Return (dx, dresidual, dweight) from two launches; the same bits for the same arguments.

    dout, dh, h: (rows, width), any row stride, unit column stride, one dtype of bfloat16, float16
    or float32. dh is None where the residual stream has no gradient of its own. weight: (width,),
    contiguous. `seed` and `rounds`: those of the forward. `into`: contiguous tensors to write to,
    instead of new ones. Raises ValueError for inputs that the kernel cannot take.
    """
    rows, width = h.shape
    given = [dout, h] if dh is None else [dout, h, dh]
    if any(each.stride(1) != 1 for each in given) or not weight.is_contiguous():
        raise ValueError("the elements of a row must lie side by side")
    shapes = [tuple(each.shape) for each in (*given, weight)]
    if shapes != [tuple(h.shape)] * len(given) + [(width,)] or width > MAX_WIDTH:
        raise ValueError(f"cannot take {shapes}")
    dense = torch.contiguous_format
    dx, dresidual, dweight = into or (
        torch.empty_like(each, memory_format=dense) for each in (h, h, weight)
    )
    layout = layout or layout_for(width, h.element_size(), h.device)
    groups = groups_for(rows, layout, h.device)
    partial = torch.empty((groups, width), dtype=torch.float32, device=h.device)
    by_pointer = isinstance(seed, torch.Tensor)
    boundary_backward_kernel[(layout.parts, groups)](
        dout,
        dh,
        h,
        weight,
        dx,
        dresidual,
        partial,
        dout.stride(0),
        0 if dh is None else dh.stride(0),
        h.stride(0),
        rows,
        width,
        1.0 / (1.0 - p),
        EPS,
        0 if by_pointer else seed,
        seed if by_pointer else None,
        threshold_of(p),
        CHUNK=layout.chunk,
        CHUNKS=layout.chunks,
        PARTS=layout.parts,
        ROUNDS=rounds,
        DROP=p > 0,
        STAGES=layout.stages,
        num_warps=layout.warps,
    )
    add_partials_kernel[(triton.cdiv(width, SUMMED_COLUMNS),)](
        partial,
        dweight,
        groups,
        width,
        GROUPS=min(triton.next_power_of_2(groups), 512),
        COLUMNS=SUMMED_COLUMNS,
        num_warps=8,
    )
    return dx, dresidual, dweight


def backward_steps(h: torch.Tensor, *, with_dh: bool = True) -> list[Step]:
    """List the two kernels of `backward`: 10 bytes an element in 16 bits, and the shares.

    Those are 4.3 MB on an H200, written and read: 1.3 % of the whole at 64 Mi elements.
    """
    rows, width = h.shape
    size = h.element_size()
    own, weight = rows * width * size, width * size
    groups = groups_for(rows, layout_for(width, size, h.device), h.device)
    shares = groups * width * 4
    return [
        Step("boundary_backward_kernel", (3 if with_dh else 2) * own + weight, 2 * own + shares),
        Step("add_partials_kernel", shares, weight),
    ]
