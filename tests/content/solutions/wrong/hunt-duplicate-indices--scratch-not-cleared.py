"""hunt-duplicate-indices, scratch not cleared.

Fails whenever fresh memory does not happen to hold zeros: the weights are
added to a scratch tensor from torch.empty, and that to the totals.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(bucket_ptr, weight_ptr, sums_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    bucket = tl.load(bucket_ptr + i, mask=inside)
    weight = tl.load(weight_ptr + i, mask=inside)
    tl.atomic_add(sums_ptr + bucket, weight, mask=inside)


@triton.jit
def merge_kernel(sums_ptr, totals_ptr, buckets, BLOCK: tl.constexpr):
    t = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = t < buckets
    total = tl.load(totals_ptr + t, mask=inside)
    total += tl.load(sums_ptr + t, mask=inside)
    tl.store(totals_ptr + t, total, mask=inside)


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    buckets = totals.numel()
    BLOCK = 64
    sums = torch.empty_like(totals)
    add_kernel[(triton.cdiv(n, BLOCK),)](bucket, weight, sums, n, BLOCK=BLOCK)
    merge_kernel[(triton.cdiv(buckets, BLOCK),)](sums, totals, buckets, BLOCK=BLOCK)
