"""The atomic adds the old total once more."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(bucket_ptr, weight_ptr, totals_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    bucket = tl.load(bucket_ptr + i, mask=inside)
    weight = tl.load(weight_ptr + i, mask=inside)
    total = tl.load(totals_ptr + bucket, mask=inside)
    tl.atomic_add(totals_ptr + bucket, total + weight, mask=inside)


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    BLOCK = 64
    grid = (triton.cdiv(n, BLOCK),)
    add_kernel[grid](bucket, weight, totals, n, BLOCK=BLOCK)
