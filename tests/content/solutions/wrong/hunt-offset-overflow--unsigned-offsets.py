"""hunt-offset-overflow, unsigned offsets.

Fails for offsets of 2^32 elements and more: a row's offset is read as a
number of 32 bits without sign, which only doubles the limit.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(
    logits_ptr,
    scale_ptr,
    out_ptr,
    vocabulary,
    logits_row,
    out_row,
    BLOCK: tl.constexpr,
):
    token = tl.program_id(0)
    words = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = words < vocabulary
    scale = tl.load(scale_ptr + token)
    from_row = (token * logits_row).to(tl.uint32).to(tl.int64)
    logits = tl.load(logits_ptr + from_row + words, mask=inside)
    to_row = (token * out_row).to(tl.uint32).to(tl.int64)
    tl.store(out_ptr + to_row + words, logits * scale, mask=inside)


def scale_logits(logits: torch.Tensor, scale: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the logits of each token times its factor."""
    tokens, vocabulary = logits.shape
    BLOCK = 1024
    scale_kernel[(tokens, triton.cdiv(vocabulary, BLOCK))](
        logits,
        scale,
        out,
        vocabulary,
        logits.stride(0),
        out.stride(0),
        BLOCK=BLOCK,
    )
