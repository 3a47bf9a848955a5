"""With one weight a program no lanes collide, but programs do."""

import torch
import triton
import triton.language as tl


@triton.jit
def add_kernel(bucket_ptr, weight_ptr, totals_ptr):
    i = tl.program_id(0)
    bucket = tl.load(bucket_ptr + i)
    weight = tl.load(weight_ptr + i)
    total = tl.load(totals_ptr + bucket)
    tl.store(totals_ptr + bucket, total + weight)


def add_to_buckets(
    bucket: torch.Tensor,
    weight: torch.Tensor,
    totals: torch.Tensor,
) -> None:
    """Add each weight to the total of its bucket."""
    add_kernel[(bucket.numel(),)](bucket, weight, totals)
