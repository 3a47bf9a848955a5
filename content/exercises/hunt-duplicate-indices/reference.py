"""What hunt-duplicate-indices computes, in plain PyTorch."""

import torch


def reference(bucket: torch.Tensor, weight: torch.Tensor, totals: torch.Tensor) -> torch.Tensor:
    """Return the totals, each with the weights of its bucket added."""
    return totals.index_add(0, bucket, weight)


def scale(bucket: torch.Tensor, weight: torch.Tensor, totals: torch.Tensor) -> torch.Tensor:
    """Return the sum of the terms' magnitudes, which is what rounding goes by."""
    return totals.abs().index_add(0, bucket, weight.abs())
