"""hunt-duplicate-indices, one by one in many programs.

Fails when two programs have the same bucket: each adds its weights one at
a time, but loads and stores the total without atomics, so programs that
run at the same time overwrite each other's sums.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(bucket_ptr, weight_ptr, totals_ptr, n, EACH: tl.constexpr):
    first = tl.program_id(0) * EACH
    for k in range(EACH):
        if first + k < n:
            bucket = tl.load(bucket_ptr + first + k)
            weight = tl.load(weight_ptr + first + k)
            total = tl.load(totals_ptr + bucket)
            tl.store(totals_ptr + bucket, total + weight)


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    EACH = 64
    add_kernel[(triton.cdiv(n, EACH),)](bucket, weight, totals, n, EACH=EACH)
