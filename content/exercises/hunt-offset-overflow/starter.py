"""hunt-offset-overflow: find what is wrong with a kernel for long batches.

What is reported
    "It scales the logits of a language model, 151936 of them a token. For
    8192 tokens all is well. For 16384 tokens the process ends with an
    illegal memory access. The memory of the GPU is large enough."

Formula
    out[t, w] = logits[t, w] * scale[t]     for each token t and word w

Arguments
    logits   float16 or float32, tokens by vocabulary. A row is contiguous;
             to the next one there are logits.stride(0) elements.
    scale    of the same type, a factor for each token, contiguous
    out      like logits, with a row stride of its own: write the scaled
             logits here

You may assume
    tokens is 1 or more and less than 2^31, and so is each row stride.
    vocabulary is from 1 to 1,000,000. There may be more than 2^31 elements.

Not allowed
    Multiplying with PyTorch.

Picture
    The offset of a token's first logit, in elements, where rows lie
    without gaps and are 151936 long

    token      0        1 ...       8191 ...      16383
    offset     0   151936 ... 1244507776 ... 2489167488
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
    from_logits = token * logits_row + words
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
