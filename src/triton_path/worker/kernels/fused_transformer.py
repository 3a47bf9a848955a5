"""The boundary between two T5 sublayers: ten eager kernels, and one Triton kernel for all of them.

Between the matrix products of a T5 layer stands this, with x the output of a sublayer:

    h   = residual + dropout(x)                the residual stream, kept for later layers
    out = weight * h / sqrt(mean(h^2) + eps)   RMSNorm, the input of the next sublayer

x, residual, h and out are (rows, width); weight is (width,). In bfloat16 with dropout the chain
below is ten kernels and moves 45 bytes an element. It has to move 8: two tensors in, two out, two
bytes each. Nothing here does enough arithmetic to matter, so bytes are time, and the limit of one
fused kernel is the time of a copy of two tensors.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from triton_path.jobs.bench import MAX_WIDTH
from triton_path.worker.kernels.row_layout import layout_for
from triton_path.worker.kernels.step import Step as Step

EPS = 1e-6
THRESHOLD_BITS = 32
ELEMENTS_PER_CALL = 4

Pair = tuple[torch.Tensor, torch.Tensor]


def eager(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor, p: float) -> Pair:
    """Return (h, out) as a T5 layer computes them: ten kernels on a GPU in 16 bits with p > 0."""
    h = residual + F.dropout(x, p, training=True)
    mean_square = h.to(torch.float32).pow(2).mean(-1, keepdim=True)
    normed = h * torch.rsqrt(mean_square + EPS)
    return h, weight * normed.to(weight.dtype)


def best_eager(x: torch.Tensor, residual: torch.Tensor, weight: torch.Tensor, p: float) -> Pair:
    """Return (h, out) with the most that PyTorch has ready-made: three kernels."""
    h = residual + F.dropout(x, p, training=True)
    return h, F.rms_norm(h, (h.shape[-1],), weight, EPS)


@triton.jit
def keep(
    seed: tl.tensor,
    row: tl.tensor,
    first: tl.tensor,
    threshold: tl.tensor,
    CHUNK: tl.constexpr,
    ROUNDS: tl.constexpr,
) -> tl.tensor:
    """Return CHUNK booleans for the columns from `first` on, False in threshold of 2^32 cases.

    Philox turns a counter into four random words of 32 bits. One call for each element would
    throw three of them away, and the kernel would wait for arithmetic instead of memory. Here
    call i serves columns 4i to 4i + 3. The counter is (call, row): no two elements share one,
    however large the tensor, and another seed gives another mask.
    """
    call = first // 4 + tl.arange(0, CHUNK // 4)
    zero = call * 0
    a, b, c, d = tl.philox(seed, call, zero + row, zero, zero, n_rounds=ROUNDS)
    # join adds a last axis of 2: (a, c), (b, d) -> a b c d, all in the registers of one thread.
    words = tl.reshape(tl.join(tl.join(a, c), tl.join(b, d)), [CHUNK])
    return words >= threshold


@triton.jit(do_not_specialize=["seed", "threshold"])
def boundary_kernel(
    x_ptr: tl.tensor,
    residual_ptr: tl.tensor,
    weight_ptr: tl.tensor,
    h_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_stride: tl.tensor,
    residual_stride: tl.tensor,
    width: tl.tensor,
    scale: tl.float32,
    eps: tl.float32,
    # Of one type each and never specialised: a new seed must not compile a new kernel.
    seed: tl.int64,
    seed_ptr: tl.tensor,  # None: the seed is the number before
    threshold: tl.uint32,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
    ROUNDS: tl.constexpr,
    DROP: tl.constexpr,
) -> None:
    """Do one row a program: read x and residual once, write h and out once.

    The row is held in registers as CHUNKS blocks of CHUNK lanes (row_layout.py tells why).
    """
    if seed_ptr is not None:
        seed = tl.load(seed_ptr)
    row = tl.program_id(0)
    wide_row = row.to(tl.int64)  # row * stride passes 2^31 in large tensors
    squares = tl.zeros([CHUNK], tl.float32)
    held = ()
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        inside = column < width
        x = tl.load(x_ptr + wide_row * x_stride + column, mask=inside, other=0.0).to(tl.float32)
        residual = tl.load(
            residual_ptr + wide_row * residual_stride + column, mask=inside, other=0.0
        ).to(tl.float32)
        if DROP:
            kept = keep(seed, row, index * CHUNK, threshold, CHUNK, ROUNDS)
            x = tl.where(kept, x * scale, 0.0)
        # The norm is taken of h as it is stored: that is what the next layer reads. In 16 bits
        # it also takes half the registers.
        h = (residual + x).to(h_ptr.dtype.element_ty)
        tl.store(h_ptr + wide_row * width + column, h, mask=inside)
        h32 = h.to(tl.float32)  # lanes past the end hold 0 and add nothing
        squares += h32 * h32
        held = held + (h,)  # type: ignore[assignment]  # noqa: RUF005 -- Triton knows no star

    scale_row = tl.rsqrt(tl.sum(squares, 0) / width + eps)
    for index in tl.static_range(CHUNKS):
        column = index * CHUNK + tl.arange(0, CHUNK)
        inside = column < width
        weight = tl.load(weight_ptr + column, mask=inside, other=0.0).to(tl.float32)
        # T5 rounds to its own dtype before it multiplies by the weight.
        normed = (held[index].to(tl.float32) * scale_row).to(out_ptr.dtype.element_ty)
        out = (normed.to(tl.float32) * weight).to(out_ptr.dtype.element_ty)
        tl.store(out_ptr + wide_row * width + column, out, mask=inside)


def threshold_of(p: float) -> int:
    """Return the 32-bit number that so many random words lie below."""
    return min(round(p * (1 << THRESHOLD_BITS)), (1 << THRESHOLD_BITS) - 1)


def draw_seed() -> int:
    """Draw 63 bits from torch's CPU generator: `torch.manual_seed` fixes them, no kernel runs."""
    return int(torch.empty((), dtype=torch.int64).random_())


def draw_seed_on(device: torch.device) -> torch.Tensor:
    """Draw 63 bits into a tensor on `device`: one kernel, and each replay in a graph draws anew."""
    return torch.randint(2**63 - 1, (), dtype=torch.int64, device=device)


def fused(
    x: torch.Tensor,
    residual: torch.Tensor,
    weight: torch.Tensor,
    p: float,
    *,
    seed: int | torch.Tensor | None = None,
    rounds: int = 7,
    into: Pair | None = None,
) -> Pair:
    """Return (h, out) from one launch.

    x, residual: (rows, width), any row stride, unit column stride, one dtype of bfloat16, float16
    or float32. weight: (width,), contiguous. `seed`: a number, or an int64 tensor of one element
    on the same device; drawn where it is None. `rounds`: Philox needs 7 to pass BigCrush (Salmon
    et al., 2011). `into`: contiguous tensors to write h and out to, instead of new ones.
    Raises ValueError for inputs that the kernel cannot take.
    """
    rows, width = x.shape
    if x.stride(1) != 1 or residual.stride(1) != 1 or not weight.is_contiguous():
        raise ValueError("the elements of a row must lie side by side")
    if residual.shape != x.shape or weight.shape != (width,) or width > MAX_WIDTH:
        raise ValueError(f"cannot take {tuple(x.shape)}, {tuple(residual.shape)}, {weight.shape}")
    # empty_like would keep a row stride; the outputs are dense.
    h, out = into or (torch.empty_like(x, memory_format=torch.contiguous_format) for _ in "ho")
    layout = layout_for(width, x.element_size())
    if seed is None:
        seed = draw_seed()
    by_pointer = isinstance(seed, torch.Tensor)
    boundary_kernel[(rows,)](
        x,
        residual,
        weight,
        h,
        out,
        x.stride(0),
        residual.stride(0),
        width,
        1.0 / (1.0 - p),
        EPS,
        0 if by_pointer else seed,
        seed if by_pointer else None,
        threshold_of(p),
        CHUNK=layout.chunk,
        CHUNKS=layout.chunks,
        ROUNDS=rounds,
        DROP=p > 0,
        num_warps=layout.warps,
    )
    return h, out


def eager_steps(rows: int, width: int, size: int, p: float) -> list[Step]:
    """List the kernels of `eager` for elements of `size` bytes.

    In 16 bits with p > 0: 45 bytes an element, and a few for each row.
    """
    n, own, wide = rows * width, rows * width * size, rows * width * 4
    dropout = [Step("native_dropout", own, own + n)] if p > 0 else []  # n: its mask, a byte each
    to_wide = [Step("_to_copy", own, wide)] if size != 4 else []
    to_own = [Step("_to_copy", wide, own)] if size != 4 else []
    per_row = 4 * rows
    return [
        *dropout,
        Step("add", 2 * own, own),
        *to_wide,
        Step("pow", wide, wide),
        Step("mean", wide, per_row),
        Step("add", per_row, per_row),
        Step("rsqrt", per_row, per_row),
        Step("mul", own + per_row, wide),
        *to_own,
        Step("mul", own + width * size, own),
    ]


def best_eager_steps(rows: int, width: int, size: int, p: float) -> list[Step]:
    """List the kernels of `best_eager`: 15 bytes an element in 16 bits with p > 0."""
    own = rows * width * size
    return [
        *eager_steps(rows, width, size, p)[: 2 if p > 0 else 1],
        Step("_fused_rms_norm", own + width * size, own + 4 * rows),  # 4: 1 / rms of each row
    ]


def fused_steps(rows: int, width: int, size: int) -> list[Step]:
    """List the one kernel of `fused`: 8 bytes an element in 16 bits, mask or not."""
    own = rows * width * size
    return [Step("boundary_kernel", 2 * own + width * size, 2 * own)]
