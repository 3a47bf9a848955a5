"""hunt-duplicate-indices, wraps around.

Fails for every n that is no multiple of 64: the last block's extra lanes
begin again at the first weight, which is then added twice.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(bucket_ptr, weight_ptr, totals_ptr, n, BLOCK: tl.constexpr):
    i = (tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)) % n
    bucket = tl.load(bucket_ptr + i)
    weight = tl.load(weight_ptr + i)
    tl.atomic_add(totals_ptr + bucket, weight)


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    BLOCK = 64
    add_kernel[(triton.cdiv(n, BLOCK),)](bucket, weight, totals, n, BLOCK=BLOCK)
