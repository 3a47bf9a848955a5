"""SwiGLU: what stands between the two matrix products of a LLaMA MLP.

    out = silu(gate) * up,   silu(g) = g * sigmoid(g) = g / (1 + exp(-g))

gate, up and out are (rows, width): one matrix product makes gate and up, side by side or apart,
the next reads out. (Shazeer, "GLU Variants Improve Transformer", 2020.)

Written out it is three kernels and, in 16 bits, 16 bytes an element; with F.silu two kernels and
10 bytes. It has to move 6: two tensors in, one out. The exponential and the division are a few
instructions an element, far fewer than a GPU can do while the bytes travel; so the limit of one
fused kernel is the time in which the memory moves three tensors, as for an addition. gate and up
are often the halves of one tensor (rows, 2 * width); their row stride is then twice their width,
and nothing need be copied first.
"""

from __future__ import annotations

import torch
import torch.nn.functional as F
import triton
import triton.language as tl

from triton_path.worker.kernels.softmax import exp
from triton_path.worker.kernels.step import Step
from triton_path.worker.kernels.vector_add import BLOCK, as_long_rows, block_for, dense_like


def eager(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    """Return silu(gate) * up, silu written out: three kernels."""
    return gate * torch.sigmoid(gate) * up


def best_eager(gate: torch.Tensor, up: torch.Tensor) -> torch.Tensor:
    """Return silu(gate) * up with the most that PyTorch has ready-made: two kernels."""
    return F.silu(gate) * up


@triton.jit
def swiglu_kernel(
    gate_ptr: tl.tensor,
    up_ptr: tl.tensor,
    out_ptr: tl.tensor,
    gate_stride: tl.tensor,
    up_stride: tl.tensor,
    width: tl.tensor,
    blocks: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """Do one block of one row a program, as vector_add.py does; rounded once, at the end."""
    program = tl.program_id(0)
    row = (program // blocks).to(tl.int64)
    column = (program % blocks).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = column < width
    gate = tl.load(gate_ptr + row * gate_stride + column, mask=inside).to(tl.float32)
    up = tl.load(up_ptr + row * up_stride + column, mask=inside).to(tl.float32)
    # Where exp overflows to inf, the quotient is 0, as it should be.
    out = gate / (1.0 + exp(-gate)) * up
    tl.store(out_ptr + row * width + column, out.to(out_ptr.dtype.element_ty), mask=inside)


def fused(
    gate: torch.Tensor,
    up: torch.Tensor,
    *,
    into: torch.Tensor | None = None,
    block: int = BLOCK,
) -> torch.Tensor:
    """Return silu(gate) * up from one launch.

    gate, up: (rows, width), any row stride, unit column stride, one dtype of bfloat16, float16 or
    float32. `into`: a contiguous tensor to write to, instead of a new one. `block`: elements of a
    program, a power of two.
    Raises ValueError for inputs that the kernel cannot take.
    """
    rows, width, (gate_stride, up_stride) = as_long_rows(gate, up)
    out = dense_like(gate, into)
    block, warps = block_for(width, block)
    blocks = triton.cdiv(width, block)
    swiglu_kernel[(rows * blocks,)](
        gate, up, out, gate_stride, up_stride, width, blocks, BLOCK=block, num_warps=warps
    )
    return out


def fused_steps(rows: int, width: int, size: int) -> list[Step]:
    """List the one kernel of `fused`, for elements of `size` bytes: 6 an element in 16 bits."""
    own = rows * width * size
    return [Step("swiglu_kernel", 2 * own, own)]
