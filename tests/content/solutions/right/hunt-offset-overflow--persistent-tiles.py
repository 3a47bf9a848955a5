"""hunt-offset-overflow, persistent tiles.

A fixed number of programs share all blocks of all rows, which are numbered
in int64.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def scale_kernel(
    logits_ptr,
    scale_ptr,
    out_ptr,
    blocks,
    across,
    vocabulary,
    logits_row,
    out_row,
    BLOCK: tl.constexpr,
):
    block = tl.program_id(0).to(tl.int64)
    while block < blocks:
        token = block // across
        words = block % across * BLOCK + tl.arange(0, BLOCK)
        inside = words < vocabulary
        logits = tl.load(logits_ptr + token * logits_row + words, mask=inside)
        scaled = logits.to(tl.float32) * tl.load(scale_ptr + token).to(tl.float32)
        tl.store(out_ptr + token * out_row + words, scaled, mask=inside)
        block += tl.num_programs(0)


def scale_logits(logits: torch.Tensor, scale: torch.Tensor, out: torch.Tensor) -> None:
    """Fill `out` with the logits of each token times its factor."""
    tokens, vocabulary = logits.shape
    BLOCK = 2048
    across = triton.cdiv(vocabulary, BLOCK)
    blocks = tokens * across
    scale_kernel[(min(24, blocks),)](
        logits,
        scale,
        out,
        blocks,
        across,
        vocabulary,
        logits.stride(0),
        out.stride(0),
        BLOCK=BLOCK,
    )
