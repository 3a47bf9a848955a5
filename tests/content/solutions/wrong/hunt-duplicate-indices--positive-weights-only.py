"""hunt-duplicate-indices, positive weights only.

Fails for negative weights: a mask that should skip weights of 0, to save
atomic additions, skips all that are not above 0.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(bucket_ptr, weight_ptr, totals_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    bucket = tl.load(bucket_ptr + i, mask=inside, other=0)
    weight = tl.load(weight_ptr + i, mask=inside, other=0.0)
    tl.atomic_add(totals_ptr + bucket, weight, mask=weight > 0.0)


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    BLOCK = 64
    add_kernel[(triton.cdiv(n, BLOCK),)](bucket, weight, totals, n, BLOCK=BLOCK)
