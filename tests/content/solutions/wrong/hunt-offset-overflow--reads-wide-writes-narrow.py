"""hunt-offset-overflow, reads wide writes narrow.

Fails when a row of out begins 2^31 elements or more after out: only the
offset into logits is int64.
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
    from_logits = token.to(tl.int64) * logits_row + words
    logits = tl.load(logits_ptr + from_logits, mask=inside)
    to_out = token * out_row + words
    tl.store(out_ptr + to_out, logits * scale, mask=inside)


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
