"""hunt-duplicate-indices, relaxed atomics.

Atomic additions without an order, in blocks of 16, from the last block to
the first.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(bucket_ptr, weight_ptr, totals_ptr, n, BLOCK: tl.constexpr):
    block = tl.num_programs(0) - 1 - tl.program_id(0)
    i = block * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    bucket = tl.load(bucket_ptr + i, mask=inside, other=0)
    weight = tl.load(weight_ptr + i, mask=inside, other=0.0)
    tl.atomic_add(totals_ptr + bucket, weight, mask=inside, sem="relaxed")


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    BLOCK = 16
    add_kernel[(triton.cdiv(n, BLOCK),)](bucket, weight, totals, n, BLOCK=BLOCK, num_warps=1)
