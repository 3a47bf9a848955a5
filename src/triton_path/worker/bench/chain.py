"""A chain of operations, and everything that the instrument has to know to bench it."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple

import torch
from torch.utils._pytree import tree_leaves

from triton_path.jobs.bench import COMPILED

if TYPE_CHECKING:
    from triton_path.jobs.bench import RandomNumbers, Shape
    from triton_path.worker.kernels.step import Step

Tensors = dict[str, Any]
"""The arguments of a chain by name: tensors, and numbers where it takes some."""
Outputs = tuple[torch.Tensor, ...]
Function = Callable[..., Any]
"""Takes the arguments by name; returns a tensor or a tuple of them."""


class Traffic(NamedTuple):
    """Bytes that something moves."""

    read: int
    written: int

    @property
    def moved(self) -> int:
        """Read plus written."""
        return self.read + self.written


@dataclass(frozen=True)
class Provider:
    """One way to compute a chain."""

    name: str
    function: Function
    counted: bool = False
    """Whether it is made of PyTorch's operations, so that a dispatch shows what it moves. Of any
    other the least that it has to move is all that is known."""
    steps: Callable[[Tensors], list[Step]] | None = None
    """The kernels that it should take, with their bytes; None: counted, or one of the least."""
    exact: bool = False
    """Whether its kernels must be those of `steps`, one for one."""
    compiles: bool = False
    """Whether its first call compiles, which is then shown."""
    optional: bool = False
    """Whether it is only noted, and no fault, where it does not run."""
    held_to: torch.dtype | None = None
    """The dtype that it rounds to on its way, where that is coarser than its output's."""
    own: bool = False
    """Whether it is the person's own: what it raises is its fault, and not this machine's."""
    prepare: Callable[[Tensors], Callable[[], Any]] | None = None
    """Does what comes before the timed call and returns that call; None: there is nothing."""

    def bind(self, tensors: Tensors) -> Callable[[], Any]:
        """Return the call that is timed, with nothing left to give it."""
        if self.prepare is not None:
            return self.prepare(tensors)
        return lambda: self.function(**tensors)


@dataclass(frozen=True)
class Dropout:
    """How the mask that a provider drew is recovered from what it returns."""

    p: float
    probe: dict[str, float]
    """Inputs to fill with a number such that `shows` is not 0 exactly where the mask kept, and
    1 / (1 - p) there."""
    shows: str
    """The output that shows the mask."""


@dataclass(frozen=True)
class Backward:
    """What the instrument has to know to bench the gradients of a chain."""

    wanted: tuple[str, ...]
    """The inputs whose gradients are taken."""
    together: bool = False
    """Whether the forward is timed with it, for a kernel that takes the gradient on its way."""
    least: Callable[[Tensors], Traffic] | None = None
    """Bytes that any backward must move, by a formula that its file states; None: everything that
    the chain takes and the gradients of its outputs once, the gradients written once."""
    dropout: Dropout | None = None
    """`shows` names a gradient, such as d_x."""
    interpreted: tuple[tuple[int, int], ...] = ((5, 100), (16, 257))
    """Rows and width of what Triton's interpreter verifies."""
    others: tuple[Provider, ...] = ()
    """Fused ones: `prepare` takes the chain's inputs and d_OUTPUT for each output, runs the
    forward, and returns the call that gives the gradients in the order of `wanted`."""


@dataclass(frozen=True)
class Chain:
    """A chain for one case: which dtype, how much dropout."""

    name: str
    about: str
    """What it computes, in a sentence."""
    inputs: Callable[[Shape, torch.dtype, str, int], Tensors]
    """Draws the arguments: shape, dtype, device (`meta` too), seed."""
    outputs: tuple[str, ...]
    reference: Function | None
    """The chain in float64, given arguments in float64, and `keep` where a mask was drawn. None:
    eager itself, given float64."""
    eager: Provider
    others: tuple[Provider, ...]
    """In the order of the table; torch.compile is the instrument's to add."""
    by_row: tuple[str, ...] = ()
    """Inputs whose rows the outputs follow: these are compared a few rows at a time. Empty where
    an output mixes rows."""
    least: Callable[[Tensors], Traffic] | None = None
    """Bytes that any kernel must move; None: inputs read once and outputs written once."""
    dropout: Dropout | None = None
    random: Callable[[], RandomNumbers] | None = None
    """What a fused kernel spends on random numbers, where it draws some."""
    backward: Backward | None = None
    differentiate: Callable[[Function], Callable[[Tensors], Callable[[], Any]]] | None = None
    """Makes `prepare` of a function, where the chain is the gradients of another."""
    slack: float = 0.0
    """Error that is allowed whatever the dtype: gradients are sums of what cancels."""
    interpreted: tuple[tuple[int, int], ...] = ()
    """Rows and width of what Triton's interpreter verifies."""

    @property
    def p(self) -> float:
        """Share of elements that are dropped."""
        return self.dropout.p if self.dropout else 0.0

    def provider(self, name: str) -> Provider | None:
        """Return a provider by its name."""
        return next((p for p in (self.eager, *self.others) if p.name == name), None)


def as_tuple(result: Any) -> Outputs:
    """Return what a function returned as a tuple of tensors, in its order."""
    return tuple(leaf for leaf in tree_leaves(result) if isinstance(leaf, torch.Tensor))


def tensors_of(arguments: Tensors) -> dict[str, torch.Tensor]:
    """Return the tensors among the arguments."""
    return {name: value for name, value in arguments.items() if isinstance(value, torch.Tensor)}


def compiled(chain: Chain) -> Provider:
    """Return the eager chain under torch.compile, with dynamo reset.

    After a few shapes dynamo reaches its limit and runs eager with a mere warning.
    """
    torch._dynamo.reset()
    function = torch.compile(chain.eager.function, dynamic=False)
    prepare = chain.differentiate(function) if chain.differentiate is not None else None
    return Provider(COMPILED, function, compiles=True, optional=True, prepare=prepare)
