"""Dropout: four eager kernels, and one that remembers its mask by a seed.

    out = x / (1 - p) where kept, 0 where dropped; each element is dropped with probability p

x and out are (rows, width). (Srivastava et al., "Dropout", 2014.)

Written out it is four kernels (random numbers, comparison, product, quotient), and in 16 bits 18
bytes an element. F.dropout is one kernel and moves 5: it also writes the mask, a byte an element,
for the backward pass to read. A kernel here moves 4, one read and one write, and saves a seed: the
random numbers are computed from the seed and the place of an element, and so can be computed
again. The backward pass is the same kernel on the gradient, with the same seed.

The limit is the time of a copy, if the random numbers keep up. One call of Philox makes four of
them; a kernel that threw three away would wait for its arithmetic (fused_transformer.py).
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from triton_path.worker.kernels.fused_transformer import draw_seed, keep, threshold_of
from triton_path.worker.kernels.step import Step
from triton_path.worker.kernels.vector_add import check_rows, dense_like

PAGE = 2048
"""Elements of a program. Their masks are drawn by page: to change it changes every mask."""
WARPS = 4


def eager(x: torch.Tensor, p: float) -> torch.Tensor:
    """Return `x`, (rows, width), with elements dropped, written out: four kernels."""
    # In 16 bits a random number would have only a few hundred values, and p would be rounded.
    kept = torch.rand_like(x, dtype=torch.float32) >= p
    return x * kept / (1 - p)


def best_eager(x: torch.Tensor, p: float) -> torch.Tensor:
    """Return it with the most that PyTorch has ready-made: one kernel, which writes the mask."""
    return F.dropout(x, p, training=True)


@triton.jit(do_not_specialize=["seed", "threshold"])
def dropout_kernel(
    x_ptr: tl.tensor,
    out_ptr: tl.tensor,
    x_stride: tl.tensor,
    width: tl.tensor,
    elements: tl.tensor,
    scale: tl.float32,
    # Of one type each and never specialised: a new seed must not compile a new kernel.
    seed: tl.int64,
    seed_ptr: tl.tensor,  # None: the seed is the number before
    threshold: tl.uint32,
    PAGE: tl.constexpr,
    ROUNDS: tl.constexpr,
    DROP: tl.constexpr,
    DENSE: tl.constexpr,
) -> None:
    """Do one page a program: PAGE elements, numbered through all rows.

    The mask belongs to the number of an element, however its row lies in memory: a gradient may
    lie otherwise than x and must meet the same mask.
    """
    if seed_ptr is not None:
        seed = tl.load(seed_ptr)
    page = tl.program_id(0)
    start = page.to(tl.int64) * PAGE
    lane = tl.arange(0, PAGE)
    inside = start + lane < elements
    if DENSE:
        place = start + lane
    else:
        # Dividing 64-bit numbers is slow: once for the page, then 32 bits for each element.
        column = (start % width).to(tl.int32) + lane
        place = (start // width + column // width) * x_stride + column % width
    x = tl.load(x_ptr + place, mask=inside, other=0.0)
    if DROP:
        kept = keep(seed, page, 0, threshold, PAGE, ROUNDS)
        x = tl.where(kept, x.to(tl.float32) * scale, 0.0)
    tl.store(out_ptr + start + lane, x.to(out_ptr.dtype.element_ty), mask=inside)


def fused(
    x: torch.Tensor,
    p: float,
    *,
    seed: int | torch.Tensor | None = None,
    rounds: int = 7,
    into: torch.Tensor | None = None,
    warps: int = WARPS,
) -> torch.Tensor:
    """Return `x` with elements dropped, from one launch.

    x: (rows, width), any row stride, unit column stride, of bfloat16, float16 or float32.
    0 <= p < 1. `seed`: a number, or an int64 tensor of one element on the same device, which a
    CUDA graph reads anew each time; drawn where it is None. One seed and one shape give one mask.
    `rounds`: Philox needs 7 to pass BigCrush (Salmon et al., 2011). `into`: a contiguous tensor to
    write to, instead of a new one.
    Raises ValueError for inputs that the kernel cannot take.
    """
    rows, width = check_rows(x)
    if not 0 <= p < 1:
        raise ValueError(f"the probability must be at least 0 and less than 1, not {p}")
    if not x.is_contiguous() and width >= 2**31 - PAGE:
        raise ValueError(f"rows of {width} elements must have no gaps between them")
    out = dense_like(x, into)
    if seed is None:
        seed = draw_seed()
    by_pointer = isinstance(seed, torch.Tensor)
    dropout_kernel[(triton.cdiv(rows * width, PAGE),)](
        x,
        out,
        x.stride(0),
        width,
        rows * width,
        1.0 / (1.0 - p),
        0 if by_pointer else seed,
        seed if by_pointer else None,
        threshold_of(p),
        PAGE=PAGE,
        ROUNDS=rounds,
        DROP=p > 0,
        DENSE=x.is_contiguous(),
        num_warps=warps,
    )
    return out


def fused_steps(rows: int, width: int, size: int) -> list[Step]:
    """List the one kernel of `fused`, for elements of `size` bytes: 4 an element in 16 bits."""
    own = rows * width * size
    return [Step("dropout_kernel", own, own)]
