"""What hunt-autotune-in-place computes, in plain PyTorch."""

import torch

Pair = tuple[torch.Tensor, torch.Tensor]


def reference(p: torch.Tensor, m: torch.Tensor, g: torch.Tensor, rate: float, beta: float) -> Pair:
    """Return p and m after the step."""
    new = beta * m + g
    return p - rate * new, new


def scale(p: torch.Tensor, m: torch.Tensor, g: torch.Tensor, rate: float, beta: float) -> Pair:
    """Return the sums of the terms' magnitudes, which is what rounding goes by."""
    terms = beta * m.abs() + g.abs()
    return p.abs() + rate * terms, terms
