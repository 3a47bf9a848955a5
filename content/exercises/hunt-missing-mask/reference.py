"""What hunt-missing-mask computes, in plain PyTorch."""

import torch


def reference(x: torch.Tensor, factor: float) -> torch.Tensor:
    """Return x * factor."""
    return x * factor
