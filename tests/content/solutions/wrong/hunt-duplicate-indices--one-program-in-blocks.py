"""hunt-duplicate-indices, one program in blocks.

Fails when a bucket comes twice within 64 neighbouring weights: a single
program ends the race between programs, but each of its blocks still
loads, adds and stores a total once.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(bucket_ptr, weight_ptr, totals_ptr, n, BLOCK: tl.constexpr):
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        inside = i < n
        bucket = tl.load(bucket_ptr + i, mask=inside)
        weight = tl.load(weight_ptr + i, mask=inside)
        total = tl.load(totals_ptr + bucket, mask=inside)
        tl.store(totals_ptr + bucket, total + weight, mask=inside)
        tl.debug_barrier()


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    add_kernel[(1,)](bucket, weight, totals, n, BLOCK=64)
