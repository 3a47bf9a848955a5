"""hunt-duplicate-indices, a program for buckets.

No atomics: each program owns 16 buckets, reads all the weights, and adds
those that belong to one of its buckets.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(
    bucket_ptr,
    weight_ptr,
    totals_ptr,
    n,
    buckets,
    OWN: tl.constexpr,
    BLOCK: tl.constexpr,
):
    own = tl.program_id(0) * OWN + tl.arange(0, OWN)
    totals = tl.load(totals_ptr + own, mask=own < buckets, other=0.0)
    for start in range(0, n, BLOCK):
        i = start + tl.arange(0, BLOCK)
        bucket = tl.load(bucket_ptr + i, mask=i < n, other=-1)
        weight = tl.load(weight_ptr + i, mask=i < n, other=0.0)
        mine = own[:, None] == bucket[None, :]
        totals += tl.sum(tl.where(mine, weight[None, :], 0.0), axis=1)
    tl.store(totals_ptr + own, totals, mask=own < buckets)


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    buckets = totals.numel()
    OWN = 16
    grid = (triton.cdiv(buckets, OWN),)
    add_kernel[grid](bucket, weight, totals, n, buckets, OWN=OWN, BLOCK=128)
