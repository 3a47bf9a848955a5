"""What long-sum computes, in plain PyTorch."""

import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    """Return the sum of each row, in float32 at least."""
    return x.sum(dim=1, dtype=torch.promote_types(x.dtype, torch.float32))


def scale(x: torch.Tensor) -> torch.Tensor:
    """Return what a sum's rounding is measured by: the terms without their signs."""
    return x.abs().sum(dim=1)
