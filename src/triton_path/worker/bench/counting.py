"""Counts the operations that a function dispatches and the bytes they move, without running them.

On the meta device a tensor has a shape and no memory, so any size takes milliseconds.
"""

from __future__ import annotations

from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves

from triton_path.worker.kernels.fused_transformer import Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import Shape

ALLOCATES = {"empty", "empty_like", "empty_strided", "new_empty"}
ONLY_WRITES = {"bernoulli_", "fill_", "zero_", "random_", "uniform_", "normal_"}


class _Ledger(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Writes down every operation that would be a kernel."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.steps: list[Step] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        if name not in ALLOCATES and not _is_view(func):
            read = 0 if name in ONLY_WRITES else _bytes((args, kwargs))
            self.steps.append(Step(name, read, _bytes(result)))
        return result


class _AsOnGpu(TorchFunctionMode):
    """Counts as one step what a GPU has one kernel for and other devices decompose."""

    def __init__(self, ledger: _Ledger) -> None:
        super().__init__()
        self.ledger = ledger

    def __torch_function__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        kwargs = kwargs or {}
        if func is torch.nn.functional.dropout:
            dropped = kwargs["training"] and kwargs["p"] > 0
            return torch.native_dropout(args[0], kwargs["p"], True)[0] if dropped else args[0]
        first = len(self.ledger.steps)
        result = func(*args, **kwargs)
        if func is torch.nn.functional.rms_norm:
            x, weight = args[0], kwargs["weight"]
            rows = x.numel() // x.shape[-1]
            # Its second output is 1 / rms of each row, in float32.
            step = Step("_fused_rms_norm", _bytes((x, weight)), _bytes(result) + 4 * rows)
            self.ledger.steps[first:] = [step]
        return result


def _is_view(func: Any) -> bool:
    """Tell whether `func` returns its argument's memory without writing to it."""
    aliases = [returned.alias_info for returned in func._schema.returns]
    return any(alias is not None and not alias.is_write for alias in aliases)


def _bytes(tree: Any) -> int:
    """Return the bytes of all tensors in `tree`, an expanded one counted as what it stores."""
    total = 0
    for leaf in tree_leaves(tree):
        if isinstance(leaf, torch.Tensor):
            own = [size for size, stride in zip(leaf.shape, leaf.stride(), strict=True) if stride]
            total += leaf.element_size() * torch.Size(own).numel()
    return total


def count_steps(
    run: Callable[[torch.Tensor, torch.Tensor, torch.Tensor], object],
    shape: Shape,
    dtype: torch.dtype,
) -> list[Step]:
    """List the kernels that a GPU would be asked for by `run(x, residual, weight)`."""
    x, residual = (torch.empty(shape.rows, shape.width, dtype=dtype, device="meta") for _ in "xr")
    weight = torch.empty(shape.width, dtype=dtype, device="meta")
    with torch.no_grad(), _Ledger() as ledger, _AsOnGpu(ledger):
        run(x, residual, weight)
        steps: list[Step] = ledger.steps
    return steps


def count_here(run: Callable[[], object]) -> list[Step]:
    """List the operations that `run()` dispatches on the device of its tensors."""
    with torch.no_grad(), _Ledger() as ledger:
        run()
        steps: list[Step] = ledger.steps
    return steps
