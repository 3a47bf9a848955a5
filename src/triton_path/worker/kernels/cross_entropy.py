"""Cross-entropy of a language model: the loss, and its gradient, with no softmax in memory.

    loss_i = log(sum over v of exp(x[i, v])) - x[i, t_i]
    loss   = mean of loss_i over the rows whose target t_i is not ignore_index
    d loss / d x[i, v] = (exp(x[i, v]) / sum over u of exp(x[i, u]) - [v = t_i]) / counted rows

The logits x are (rows, vocab), targets are (rows,). With a vocabulary of 128 Ki the logits are the
largest tensor of a training step, and PyTorch makes several more of their size: in float32, as
models are written, forward and backward are eight kernels and move 36 bytes for each 16-bit logit.

- The loss needs one read of the logits: 2 bytes. `online_sum` (softmax.py) gives maximum and sum
  in one pass, however large the vocabulary.
- The gradient needs the logits and one number of each row, the logarithm: one read, one write.
  Done in the backward pass, that makes 6 bytes in all. But where a gradient is wanted at all, it
  can be computed in the forward pass, right behind the loss of a row, when the row still lies in a
  cache: then the memory moves 4 bytes, one read and one write. The backward pass only has to
  multiply by the gradient of the loss, and that is nearly always 1: its kernel reads that one
  number and returns. (Hsu et al., "Liger Kernel", 2024, do so too, and overwrite the logits.)

So the limit is the time of one read for a loss alone, and the time of a copy for a training step.
The price: a gradient computed is kept until the backward pass, which can run once only.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
import torch.nn.functional as F
import triton
import triton.language as tl
from torch.autograd.function import once_differentiable

from triton_path.worker.kernels.softmax import exp, online_sum, steps_of
from triton_path.worker.kernels.step import Step
from triton_path.worker.kernels.vector_add import check_rows, dense_like

if TYPE_CHECKING:
    from triton_path.worker.kernels.row_layout import Layout

IGNORE = -100
SCALE_BLOCK, SCALE_PROGRAMS = 4096, 528


def eager(logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = IGNORE) -> torch.Tensor:
    """Return the mean loss as LLaMA's training code takes it, in float32: three kernels."""
    return F.cross_entropy(logits.to(torch.float32), targets, ignore_index=ignore_index)


def best_eager(
    logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = IGNORE
) -> torch.Tensor:
    """Return it with the most that PyTorch has ready-made, in the logits' dtype: two kernels."""
    return F.cross_entropy(logits, targets, ignore_index=ignore_index)


@triton.jit
def count_kernel(
    targets_ptr: tl.tensor,
    count_ptr: tl.tensor,
    rows: tl.tensor,
    ignore_index: tl.int64,
    BLOCK: tl.constexpr,
) -> None:
    """Count the rows that are not ignored, in one program: they are few beside the logits."""
    counts = tl.zeros([BLOCK], tl.int32)
    for first in tl.range(0, rows, BLOCK):
        row = first + tl.arange(0, BLOCK)
        target = tl.load(targets_ptr + row, mask=row < rows, other=ignore_index)
        counts += (target != ignore_index).to(tl.int32)
    tl.store(count_ptr, tl.sum(counts, 0))


@triton.jit
def cross_entropy_kernel(
    logits_ptr: tl.tensor,
    targets_ptr: tl.tensor,
    count_ptr: tl.tensor,
    losses_ptr: tl.tensor,
    gradient_ptr: tl.tensor,
    logits_stride: tl.tensor,
    gradient_stride: tl.tensor,
    vocab: tl.tensor,
    ignore_index: tl.int64,
    CHUNK: tl.constexpr,
    CHUNKS: tl.constexpr,
    GRADIENT: tl.constexpr,
) -> None:
    """Do one row a program: its share of the mean, and with GRADIENT its row of the gradient."""
    row = tl.program_id(0).to(tl.int64)  # row * stride passes 2^31 in large tensors
    logits_ptr += row * logits_stride
    target = tl.load(targets_ptr + row)
    ignored = target == ignore_index
    scale = 1.0 / tl.load(count_ptr).to(tl.float32)

    # Of an ignored row nothing is read.
    length = tl.where(ignored, 0, vocab)
    # A target that is no column makes the loss NaN and reads nothing that is not ours.
    known = (target >= 0) & (target < length)
    # Read before the sum, where all threads meet: after it a fast one may overwrite the logits.
    hit = tl.load(logits_ptr + target, mask=known, other=float("nan")).to(tl.float32)
    peak, total = online_sum(logits_ptr, length, CHUNK, CHUNKS)
    log_sum = peak + tl.log(total)
    # With no row counted the scale is infinite and 0 times it NaN: a mean of nothing.
    tl.store(losses_ptr + row, tl.where(ignored, 0.0, log_sum - hit) * scale)

    if GRADIENT:
        gradient_ptr += row * gradient_stride
        log_sum = tl.where(ignored, 0.0, log_sum)
        scale = tl.where(ignored, 0.0, scale)
        place = tl.where(known, target, -1).to(tl.int32)  # 64 bits would be compared in two parts
        STEP: tl.constexpr = CHUNK * CHUNKS
        last = (vocab - 1) // STEP * STEP
        # Backwards: what was read last is the likeliest to be in the cache still.
        for back in tl.range(0, vocab, STEP):
            for index in tl.static_range(CHUNKS):
                column = last - back + index * CHUNK + tl.arange(0, CHUNK)
                x = tl.load(logits_ptr + column, mask=column < length, other=-float("inf"))
                share = exp(x.to(tl.float32) - log_sum)
                out = tl.where(column == place, share - 1.0, share) * scale
                out = out.to(gradient_ptr.dtype.element_ty)
                tl.store(gradient_ptr + column, out, mask=column < vocab)


@triton.jit
def scale_kernel(
    gradient_ptr: tl.tensor,
    factor_ptr: tl.tensor,
    elements: tl.tensor,
    programs: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """Multiply `elements` numbers by one that lies on the device; by 1 without touching them."""
    factor = tl.load(factor_ptr).to(tl.float32)
    if factor != 1.0:
        first = tl.program_id(0).to(tl.int64) * BLOCK
        for start in tl.range(first, elements, programs * BLOCK):
            place = start + tl.arange(0, BLOCK)
            inside = place < elements
            scaled = tl.load(gradient_ptr + place, mask=inside).to(tl.float32) * factor
            tl.store(gradient_ptr + place, scaled.to(gradient_ptr.dtype.element_ty), mask=inside)


def loss_and_gradient(
    logits: torch.Tensor,
    targets: torch.Tensor,
    ignore_index: int = IGNORE,
    *,
    gradient: bool = True,
    into: torch.Tensor | None = None,
    layout: Layout | None = None,
) -> tuple[torch.Tensor, torch.Tensor | None]:
    """Return the mean loss, float32 with no dimension, and its gradient, (rows, vocab).

    Arguments as for `fused`. Without `gradient` there is none, and the logits are read once.
    `into`: a tensor to write the gradient to instead of a new one, contiguous, or `logits` itself.
    `layout`: another than the one chosen for the vocabulary.
    """
    rows, vocab = check_rows(logits)
    if targets.shape != (rows,) or targets.dtype != torch.int64 or targets.device != logits.device:
        raise ValueError(
            f"expected targets ({rows},) of torch.int64 on {logits.device}, "
            f"not {tuple(targets.shape)} of {targets.dtype} on {targets.device}"
        )
    targets = targets.contiguous()
    losses = torch.empty(rows, dtype=torch.float32, device=logits.device)
    count = torch.empty((), dtype=torch.int32, device=logits.device)
    out = None
    if gradient:
        out = into if into is logits else dense_like(logits, into)
    layout = layout or steps_of(vocab, logits.element_size())
    count_kernel[(1,)](targets, count, rows, ignore_index, BLOCK=4096, num_warps=16)
    cross_entropy_kernel[(rows,)](
        logits,
        targets,
        count,
        losses,
        losses if out is None else out,
        logits.stride(0),
        0 if out is None else out.stride(0),
        vocab,
        ignore_index,
        CHUNK=layout.chunk,
        CHUNKS=layout.chunks,
        GRADIENT=gradient,
        num_warps=layout.warps,
    )
    return losses.sum(), out


class CrossEntropy(torch.autograd.Function):
    """The mean loss, with the gradient taken in the forward pass."""

    @staticmethod
    def forward(
        ctx: Any, logits: torch.Tensor, targets: torch.Tensor, ignore_index: int
    ) -> torch.Tensor:
        """Return the loss and keep the gradient."""
        loss, ctx.gradient = loss_and_gradient(logits, targets, ignore_index)
        return loss

    @staticmethod
    @once_differentiable
    def backward(ctx: Any, d_loss: torch.Tensor) -> tuple[torch.Tensor, None, None]:
        """Hand the gradient over, times that of the loss."""
        gradient, ctx.gradient = ctx.gradient, None
        if gradient is None:
            raise RuntimeError("this backward pass runs once: run the forward pass again")
        programs = min(triton.cdiv(gradient.numel(), SCALE_BLOCK), SCALE_PROGRAMS)
        scale_kernel[(programs,)](
            gradient, d_loss, gradient.numel(), programs, BLOCK=SCALE_BLOCK, num_warps=8
        )
        return gradient, None, None


def fused(logits: torch.Tensor, targets: torch.Tensor, ignore_index: int = IGNORE) -> torch.Tensor:
    """Return the mean loss, float32 with no dimension; it has a backward pass.

    logits: (rows, vocab), any row stride, unit column stride, of bfloat16, float16 or float32.
    targets: (rows,), int64; one that is neither a column nor `ignore_index` makes the loss NaN.
    With every target ignored the loss is NaN and the gradient 0, as in PyTorch.
    Raises ValueError for inputs that the kernel cannot take.
    """
    if not (torch.is_grad_enabled() and logits.requires_grad):
        return loss_and_gradient(logits, targets, ignore_index, gradient=False)[0]
    loss: torch.Tensor = CrossEntropy.apply(logits, targets, ignore_index)  # type: ignore[no-untyped-call]
    return loss


def fused_steps(rows: int, vocab: int, size: int) -> list[Step]:
    """List the kernels of a loss alone, logits of `size` bytes: 2 bytes an element in 16 bits."""
    return _steps(rows, read=rows * vocab * size, written=0)


def training_steps(rows: int, vocab: int, size: int) -> list[Step]:
    """List the kernels of a loss and its backward pass: 4 bytes an element in 16 bits.

    The second read of a row is counted as the cache's, not the memory's.
    """
    own = rows * vocab * size
    return [*_steps(rows, read=own, written=own), Step("scale_kernel", 4, 0)]


def _steps(rows: int, *, read: int, written: int) -> list[Step]:
    count = Step("count_kernel", 8 * rows, 4)
    each = Step("cross_entropy_kernel", read + 8 * rows, written + 4 * rows)
    return [count, each, Step("sum", 4 * rows, 4)]
