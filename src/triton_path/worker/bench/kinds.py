"""Sorts operations by whether they can share a kernel with what stands before and after them."""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch

if TYPE_CHECKING:
    from triton_path.jobs.ledger import OpKind

PRODUCTS = (
    "mm", "addmm", "bmm", "baddbmm", "mv", "addmv", "dot", "convolution", "linear", "einsum",
    "_scaled_mm", "_scaled_dot_product", "_convolution", "addbmm", "convolution_backward",
)  # fmt: skip
BY_ROW = ("_softmax", "_log_softmax", "native_layer_norm", "_fused_rms_norm", "logsumexp")
REDUCES = ("sum", "mean", "amax", "amin", "max", "min", "prod", "var", "std", "var_mean", "norm",
           "linalg_vector_norm", "any", "all", "argmax", "argmin", "nll_loss")  # fmt: skip
COPIES = ("_to_copy", "copy_", "clone", "cat", "stack", "constant_pad_nd", "repeat", "lift_fresh",
          "expand_copy", "fill_", "zero_", "zeros", "ones", "full", "zeros_like", "ones_like",
          "full_like", "arange", "scalar_tensor")  # fmt: skip
RANDOM = ("native_dropout", "bernoulli", "rand", "normal", "uniform", "randint", "random")
SCATTERS = ("nll_loss_backward",)
"""Each row writes its own part of the result."""


def kind_of(func: Any, args: tuple[Any, ...], result: Any) -> OpKind:
    """Return the kind of a dispatched operation."""
    name = func.overloadpacket.__name__
    base = name.removesuffix("_data").removesuffix("_backward").removesuffix("_forward")
    if name in PRODUCTS or base.startswith(("_scaled_dot_product", "_flash", "_efficient")):
        return "matrix product"
    if base in BY_ROW:
        return "reduction"
    if (
        torch.Tag.pointwise in func.tags
        or base in COPIES
        or name in SCATTERS
        or base.rstrip("_").startswith(RANDOM)
    ):
        return "elementwise"
    if base in REDUCES or torch.Tag.reduction in func.tags:
        return "reduction" if _along_rows(args, result) else "whole reduction"
    if name.startswith("native_layer_norm") or name.startswith("_fused_rms_norm"):
        return "reduction"
    return "other"


def _along_rows(args: tuple[Any, ...], result: Any) -> bool:
    """Tell whether the last axis alone was reduced: a program that owns a row can do that."""
    given = next((it for it in args if isinstance(it, torch.Tensor)), None)
    first = result[0] if isinstance(result, tuple | list) else result
    if given is None or not isinstance(first, torch.Tensor) or given.dim() < 2:
        return False
    rows = list(given.shape[:-1])
    return list(first.shape) in (rows, [*rows, 1])


def draws(name: str) -> bool:
    """Tell whether an operation draws random numbers."""
    return name.rstrip("_").startswith(RANDOM)
