"""Elements are numbered through, and their number is an int32."""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(
    logits_ptr,
    scale_ptr,
    out_ptr,
    total,
    vocabulary,
    logits_row,
    out_row,
    BLOCK: tl.constexpr,
):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < total
    token = (i // vocabulary).to(tl.int64)
    words = i % vocabulary
    scale = tl.load(scale_ptr + token, mask=inside)
    from_logits = token * logits_row + words
    logits = tl.load(logits_ptr + from_logits, mask=inside)
    to_out = token * out_row + words
    tl.store(out_ptr + to_out, logits * scale, mask=inside)


def scale_logits(logits: torch.Tensor, scale: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the logits of each token times its factor."""
    vocabulary = logits.shape[1]
    total = logits.numel()
    BLOCK = 1024
    scale_kernel[(triton.cdiv(total, BLOCK),)](
        logits,
        scale,
        out,
        total,
        vocabulary,
        logits.stride(0),
        out.stride(0),
        BLOCK=BLOCK,
    )
