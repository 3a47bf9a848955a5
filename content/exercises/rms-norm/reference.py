"""What rms-norm computes, in plain PyTorch."""

import torch
import torch.nn.functional as F


def reference(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    """Return x over the root of its rows' mean square, times the weight, step by step."""
    wide = x.to(torch.promote_types(x.dtype, torch.float32))
    mean_square = wide.pow(2).mean(dim=1, keepdim=True)
    return (wide * torch.rsqrt(mean_square + eps)).to(x.dtype) * weight


def best_eager(x: torch.Tensor, weight: torch.Tensor, eps: float) -> torch.Tensor:
    """Return the same from PyTorch's own kernel."""
    return F.rms_norm(x, (x.shape[1],), weight, eps)
