"""hunt-offset-overflow, row pointers.

Pointers move to the row first, by an int64 number of elements, and a
program walks along its token's words.
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
    blocks,
    logits_row,
    out_row,
    BLOCK: tl.constexpr,
):
    token = tl.program_id(0).to(tl.int64)
    logits_ptr += token * logits_row
    out_ptr += token * out_row
    scale = tl.load(scale_ptr + token)
    for block in tl.range(0, blocks):
        words = block * BLOCK + tl.arange(0, BLOCK)
        logits = tl.load(logits_ptr + words, mask=words < vocabulary)
        tl.store(out_ptr + words, logits * scale, mask=words < vocabulary)


def scale_logits(logits: torch.Tensor, scale: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the logits of each token times its factor."""
    tokens, vocabulary = logits.shape
    BLOCK = 1024
    scale_kernel[(tokens,)](
        logits,
        scale,
        out,
        vocabulary,
        triton.cdiv(vocabulary, BLOCK),
        logits.stride(0),
        out.stride(0),
        BLOCK=BLOCK,
    )
