"""hunt-duplicate-indices: find where some of the weights are lost.

What is reported
    "It adds weights to buckets. When no bucket comes twice, it is right.
    Otherwise weights are missing from the totals, as if they had never
    come, and another run on the same data may miss other ones."

Formula
    totals[t] = totals[t] + sum of weight[i] over all i with bucket[i] = t

Arguments
    bucket   int32, n bucket numbers, contiguous, in any order
    weight   float32, n weights, contiguous
    totals   float32, contiguous: changed in place. It holds sums from
             earlier calls, to which yours are added.

You may assume
    n is 1 or more, and so is the number of buckets.
    Each bucket number is at least 0 and less than the number of buckets.

Not allowed
    Adding, sorting or counting with PyTorch.
    The order in which weights are added up is free.

Picture
    bucket    2     0     2     2     1
    weight    0.5   1.0   4.0   0.25  3.0

    added to totals    1.0   3.0   4.75
"""

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
    tl.store(totals_ptr + bucket, total + weight, mask=inside)


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
