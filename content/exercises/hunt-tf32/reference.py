"""What hunt-tf32 computes, in plain PyTorch."""

import torch


def reference(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return squared distances; it is given float64 where a kernel is checked."""
    return (a * a).sum(1)[:, None] + (b * b).sum(1)[None, :] - 2 * (a @ b.T)


def scale(a: torch.Tensor, b: torch.Tensor) -> torch.Tensor:
    """Return the sum of the terms' magnitudes, which is what rounding goes by."""
    return (a * a).sum(1)[:, None] + (b * b).sum(1)[None, :] + 2 * (a.abs() @ b.abs().T)
