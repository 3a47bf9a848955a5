"""What hunt-fp16-accumulator computes, in plain PyTorch."""

import torch


def reference(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return the dot product of each pair of rows, in float32 at least."""
    wide = torch.promote_types(x.dtype, torch.float32)
    return (x.to(wide) * y.to(wide)).sum(dim=1)


def scale(x: torch.Tensor, y: torch.Tensor) -> torch.Tensor:
    """Return what a sum's rounding is measured by: the terms without their signs."""
    return (x * y).abs().sum(dim=1)
