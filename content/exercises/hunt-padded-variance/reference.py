"""What hunt-padded-variance computes, in plain PyTorch."""

import torch
import torch.nn.functional as F


def reference(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float
) -> torch.Tensor:
    """Return the LayerNorm of each row."""
    centred = x - x.mean(dim=1, keepdim=True)
    variance = centred.pow(2).mean(dim=1, keepdim=True)
    return centred * torch.rsqrt(variance + eps) * weight + bias


def scale(x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float) -> torch.Tensor:
    """Return what rounding is measured by: every sum and difference without its signs."""
    mean = x.mean(dim=1, keepdim=True)
    root = torch.rsqrt((x - mean).pow(2).mean(dim=1, keepdim=True) + eps)
    return (x.abs() + mean.abs()) * root * weight.abs() + bias.abs()


def best_eager(
    x: torch.Tensor, weight: torch.Tensor, bias: torch.Tensor, eps: float
) -> torch.Tensor:
    """Return the same from PyTorch's own kernel."""
    return F.layer_norm(x, (x.shape[1],), weight, bias, eps)
