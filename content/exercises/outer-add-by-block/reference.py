"""What outer-add-by-block computes, in plain PyTorch."""

import torch


def reference(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return x[i] + y[j] for all i and j."""
    return x[:, None] + y[None, :]


def scale(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return |x[i]| + |y[j]|, the sum of the terms' magnitudes."""
    return x.abs()[:, None] + y.abs()[None, :]
