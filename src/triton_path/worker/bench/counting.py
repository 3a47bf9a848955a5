"""Counts the operations that a function dispatches and the bytes they move, without running them.

On the meta device a tensor has a shape and no memory, so any size takes milliseconds.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch
from torch.overrides import TorchFunctionMode
from torch.utils._python_dispatch import TorchDispatchMode
from torch.utils._pytree import tree_leaves, tree_map

from triton_path.worker.bench.chain import tensors_of
from triton_path.worker.bench.kinds import kind_of
from triton_path.worker.kernels.step import Step

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.ledger import OpKind
    from triton_path.worker.bench.chain import Provider, Tensors

ALLOCATES = {"empty", "empty_like", "empty_strided", "new_empty", "new_empty_strided"}
ONLY_WRITES = {"bernoulli_", "fill_", "zero_", "random_", "uniform_", "normal_", "rand_like",
               "randn_like", "zeros_like", "ones_like", "full_like"}  # fmt: skip
WRITES_FIRST = {"copy_"}
"""What its first argument held is not read."""


@dataclass(frozen=True)
class Op:
    """One operation that would be a kernel, and the memory that it touches."""

    name: str
    kind: OpKind
    read: int
    written: int
    reads: dict[int, int]
    """Bytes by the storage that they come from."""
    writes: dict[int, int]

    @property
    def step(self) -> Step:
        """What it is and what it moves."""
        return Step(self.name, self.read, self.written)


class _Ledger(TorchDispatchMode):  # type: ignore[no-untyped-call]
    """Writes down every operation that would be a kernel."""

    def __init__(self) -> None:
        super().__init__()  # type: ignore[no-untyped-call]
        self.ops: list[Op] = []
        self._kept: list[Any] = []

    def __torch_dispatch__(
        self, func: Any, types: Any, args: tuple[Any, ...] = (), kwargs: Any = None
    ) -> Any:
        result = func(*args, **(kwargs or {}))
        name = func.overloadpacket.__name__
        if name not in ALLOCATES and not _is_view(func):
            self.write(name, kind_of(func, args, result), _read(name, args, kwargs or {}), result)
        return result

    def write(self, name: str, kind: OpKind, read: Any, result: Any, more: int = 0) -> None:
        """Write down one operation; `more` bytes are written beside its result."""
        reads, writes = _by_storage(read), _by_storage(result)
        written = _bytes(result) + more
        self.ops.append(Op(name, kind, _bytes(read), written, reads, writes))
        # A storage is known by its address: none may be given to another while this counts.
        self._kept += [it for it in tree_leaves((read, result)) if _is_meta(it)]


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
            p = args[1] if len(args) > 1 else kwargs.get("p", 0.5)
            training = args[2] if len(args) > 2 else kwargs.get("training", True)
            return torch.native_dropout(args[0], p, True)[0] if training and p > 0 else args[0]
        first = len(self.ledger.ops)
        result = func(*args, **kwargs)
        if func is torch.nn.functional.rms_norm and not torch.is_grad_enabled():
            x = args[0]
            weight = kwargs.get("weight", args[2] if len(args) > 2 else None)
            rows = x.numel() // x.shape[-1]
            del self.ledger.ops[first:]
            # Its second output is 1 / rms of each row, in float32.
            self.ledger.write("_fused_rms_norm", "reduction", (x, weight), result, 4 * rows)
        return result


def _is_meta(value: Any) -> bool:
    return isinstance(value, torch.Tensor) and value.device.type == "meta"


def _is_view(func: Any) -> bool:
    """Tell whether `func` returns its argument's memory without writing to it."""
    aliases = [returned.alias_info for returned in func._schema.returns]
    return any(alias is not None and not alias.is_write for alias in aliases)


def _read(name: str, args: tuple[Any, ...], kwargs: dict[str, Any]) -> Any:
    """Return the arguments that are read."""
    if name in ONLY_WRITES:
        return ()
    given = args[1:] if name in WRITES_FIRST else args
    return given, {key: value for key, value in kwargs.items() if key != "out"}


def stored_bytes(tensor: torch.Tensor) -> int:
    """Return the bytes of a tensor, an expanded one counted as what it stores."""
    own = [size for size, stride in zip(tensor.shape, tensor.stride(), strict=True) if stride]
    return tensor.element_size() * torch.Size(own).numel()


def _bytes(tree: Any) -> int:
    """Return the bytes of all tensors in `tree`."""
    return sum(stored_bytes(it) for it in tree_leaves(tree) if isinstance(it, torch.Tensor))


def _by_storage(tree: Any) -> dict[int, int]:
    found: dict[int, int] = {}
    for leaf in tree_leaves(tree):
        if isinstance(leaf, torch.Tensor):
            storage = storage_of(leaf)
            found[storage] = max(found.get(storage, 0), stored_bytes(leaf))
    return found


def storage_of(tensor: torch.Tensor) -> int:
    """Return what tells the memory of a tensor from that of others, views of it included."""
    return int(tensor.untyped_storage()._cdata)


@dataclass(frozen=True)
class Counted:
    """The operations of one call, and the storages of what it returned."""

    ops: list[Op]
    results: dict[int, int]
    """Bytes by storage."""

    @property
    def steps(self) -> list[Step]:
        """What they are and what they move."""
        return [op.step for op in self.ops]


def count(provider: Provider, tensors: Tensors) -> Counted:
    """List the kernels that a GPU would be asked for, on tensors of the meta device.

    What `provider.bind` does ahead is not counted.
    """
    on_meta = as_meta(tensors)
    with torch.no_grad():
        call = provider.bind(on_meta)
        with _Ledger() as ledger, _AsOnGpu(ledger):
            result = call()
    ops: list[Op] = ledger.ops
    return Counted(ops, _by_storage(result))


def as_meta(tensors: Tensors) -> Tensors:
    """Return the arguments with their tensors on the meta device, strides kept."""
    return {
        name: tree_map(lambda it: it.to("meta") if isinstance(it, torch.Tensor) else it, value)
        for name, value in tensors.items()
    }


def count_here(run: Callable[[], object]) -> list[Step]:
    """List the operations that `run()` dispatches on the device of its tensors."""
    with torch.no_grad(), _Ledger() as ledger:
        run()
    ops: list[Op] = ledger.ops
    return [op.step for op in ops]


def bytes_of(tensors: Tensors) -> int:
    """Return the bytes of all tensors among the arguments, one that is given twice once."""
    return sum(_by_storage(list(tensors_of(tensors).values())).values())
