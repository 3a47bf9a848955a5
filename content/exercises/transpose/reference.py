"""What transpose computes, in plain PyTorch."""

import torch


def reference(x: torch.Tensor) -> torch.Tensor:
    """Return the transpose of x, contiguous."""
    return x.t().contiguous()
