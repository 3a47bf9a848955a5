"""What hunt-missing-k-mask computes, in plain PyTorch."""

import torch


def reference(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the matrix product; it is given float64 where a kernel is checked."""
    return a @ b


def scale(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the sum of the terms' magnitudes, which is what rounding goes by."""
    return a.abs() @ b.abs()
