"""Adding two tensors: the smallest kernel, and the measure of what a kernel can reach at all.

    out = a + b        a, b and out are (rows, width)

One addition costs two elements read and one written: 6 bytes in 16 bits. PyTorch's own addition
is one kernel too and moves the same bytes, so there is nothing to save here: fusing pays only
where several operations pass their results through memory. The limit is the time in which the
memory moves three tensors. What this file shows is how to come near it:

- A program takes a block of neighbouring elements and each thread 16 bytes at a time.
- A few thousand elements a program: fewer, and starting programs costs time; many more, and the
  last programs leave most of the GPU idle.
- Tensors with no gaps between their rows are one long row, whatever their width.
"""

from __future__ import annotations

import torch
import triton
import triton.language as tl

from triton_path.worker.kernels.step import Step

BLOCK = 2048
ELEMENTS_PER_THREAD = 16
DTYPES = (torch.bfloat16, torch.float16, torch.float32)


def eager(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return a + b as anyone writes it: one kernel."""
    return a + b


def best_eager(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return a + b with the most that PyTorch has ready-made: the same kernel."""
    return torch.add(a, b)


@triton.jit
def add_kernel(
    a_ptr: tl.tensor,
    b_ptr: tl.tensor,
    out_ptr: tl.tensor,
    a_stride: tl.tensor,
    b_stride: tl.tensor,
    width: tl.tensor,
    blocks: tl.tensor,
    BLOCK: tl.constexpr,
) -> None:
    """Add one block of one row a program; a row has `blocks` of them."""
    program = tl.program_id(0)
    row = (program // blocks).to(tl.int64)  # row * stride passes 2^31 in large tensors
    column = (program % blocks).to(tl.int64) * BLOCK + tl.arange(0, BLOCK)
    inside = column < width
    a = tl.load(a_ptr + row * a_stride + column, mask=inside).to(tl.float32)
    b = tl.load(b_ptr + row * b_stride + column, mask=inside).to(tl.float32)
    tl.store(out_ptr + row * width + column, (a + b).to(out_ptr.dtype.element_ty), mask=inside)


def fused(
    a: torch.Tensor, b: torch.Tensor, *, into: torch.Tensor | None = None, block: int = BLOCK
) -> torch.Tensor:
    """Return a + b from one launch.

    a, b: (rows, width), any row stride, unit column stride, one dtype of bfloat16, float16 or
    float32. `into`: a contiguous tensor to write to, instead of a new one. `block`: elements of a
    program, a power of two.
    Raises ValueError for inputs that the kernel cannot take.
    """
    rows, width, (a_stride, b_stride) = as_long_rows(a, b)
    out = dense_like(a, into)
    block, warps = block_for(width, block)
    blocks = triton.cdiv(width, block)
    add_kernel[(rows * blocks,)](
        a, b, out, a_stride, b_stride, width, blocks, BLOCK=block, num_warps=warps
    )
    return out


def check_rows(*tensors: torch.Tensor) -> tuple[int, int]:
    """Return (rows, width) of tensors that the kernels of this folder can take.

    Raises ValueError unless they have one shape of two dimensions with at least one element, one
    device, one dtype of DTYPES, and rows whose elements lie side by side.
    """
    first = tensors[0]
    if first.dim() != 2 or first.numel() == 0:
        raise ValueError(f"expected (rows, width) with an element or more: {tuple(first.shape)}")
    if first.dtype not in DTYPES:
        raise ValueError(f"expected bfloat16, float16 or float32, not {first.dtype}")
    rows, width = first.shape
    for tensor in tensors:
        if (tensor.shape, tensor.dtype, tensor.device) != (first.shape, first.dtype, first.device):
            raise ValueError(
                "shapes, dtypes and devices must agree: "
                f"{tuple(first.shape)} of {first.dtype} on {first.device}, "
                f"{tuple(tensor.shape)} of {tensor.dtype} on {tensor.device}"
            )
        if width > 1 and tensor.stride(1) != 1:
            raise ValueError("the elements of a row must lie side by side")
    return rows, width


def dense_like(x: torch.Tensor, into: torch.Tensor | None = None) -> torch.Tensor:
    """Return a contiguous tensor like `x` to write to: `into` where it is given."""
    if into is None:
        # empty_like alone would keep a row stride.
        return torch.empty_like(x, memory_format=torch.contiguous_format)
    if not into.is_contiguous():
        raise ValueError("the output must be contiguous")
    check_rows(x, into)
    return into


def as_long_rows(*tensors: torch.Tensor) -> tuple[int, int, tuple[int, ...]]:
    """Return (rows, width, row strides); without gaps between the rows, as a single long one.

    Its stride is given as 0, a multiple of 16: so that Triton knows every block to be aligned.
    Raises ValueError as `check_rows` does.
    """
    rows, width = check_rows(*tensors)
    if all(tensor.is_contiguous() for tensor in tensors):
        return 1, rows * width, (0,) * len(tensors)
    return rows, width, tuple(tensor.stride(0) for tensor in tensors)


def block_for(width: int, block: int = BLOCK) -> tuple[int, int]:
    """Return the elements of a block and its warps, for rows of `width` elements."""
    block = min(block, max(triton.next_power_of_2(width), 32))
    return block, min(max(block // (32 * ELEMENTS_PER_THREAD), 1), 32)


def fused_steps(rows: int, width: int, size: int) -> list[Step]:
    """List the one kernel of `fused`, for elements of `size` bytes: 6 an element in 16 bits."""
    own = rows * width * size
    return [Step("add_kernel", 2 * own, own)]
