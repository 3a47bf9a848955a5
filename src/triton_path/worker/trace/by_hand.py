"""A launch that no code of the file makes, from what the command line gave."""

from __future__ import annotations

import inspect
from math import prod
from typing import TYPE_CHECKING, Any

import torch

from triton_path.worker.compiler.arguments import DTYPES, WrongArguments
from triton_path.worker.triton_private.names import Autotuner, unwrapped

if TYPE_CHECKING:
    from triton_path.jobs.inspect import Argument
    from triton_path.jobs.trace import HandLaunch

MOST_FILLED = 1 << 29
"""Bytes of all tensors that get storage: 512 MiB. The largest beyond have shapes alone."""
SMALL = range(1, 5)
"""Integers that tensors are filled with: small and positive, as lengths and indices are."""


def launch(kernel: Any, hand: HandLaunch) -> None:
    """Launch `kernel`, an interpreted function or what is wrapped around it.

    Raises WrongArguments where what was given does not fit it.
    """
    _check(kernel, hand)
    virtual = _without_storage(hand)
    given: dict[str, Any] = dict(hand.constants)
    for seed, argument in enumerate(hand.arguments):
        given[argument.name] = (
            argument.value
            if argument.dtype is None
            else _tensor(argument, seed, virtual=argument.name in virtual)
        )
    kernel[hand.grid](**given)


def _check(kernel: Any, hand: HandLaunch) -> None:
    function = unwrapped(kernel).fn
    parameters = inspect.signature(function).parameters
    name = function.__name__
    known = {*(argument.name for argument in hand.arguments), *hand.constants}
    for argument in hand.arguments:
        if argument.dtype is not None and argument.dtype not in DTYPES:
            raise WrongArguments(f"There is no dtype '{argument.dtype}': {', '.join(DTYPES)}.")
    unknown = [given for given in known if given not in parameters]
    if unknown:
        raise WrongArguments(f"{name} has no parameter '{min(unknown)}'.")
    known |= _set_by_wrappers(kernel)
    missing = [p for p in parameters.values() if p.name not in known and p.default is p.empty]
    if missing:
        hows = [f"--{'set' if _is_constant(p) else 'arg'} {p.name}=..." for p in missing]
        raise WrongArguments(f"{name} also needs {' '.join(hows)}.")


def _is_constant(parameter: inspect.Parameter) -> bool:
    return "constexpr" in str(parameter.annotation)


def _set_by_wrappers(kernel: Any) -> set[str]:
    """Return the arguments that `@triton.autotune` and `@triton.heuristics` choose."""
    found: set[str] = set()
    while hasattr(kernel, "fn"):
        if isinstance(kernel, Autotuner):
            found |= {name for config in kernel.configs for name in config.kwargs}
        found |= set(getattr(kernel, "values", None) or ())
        kernel = kernel.fn
    return found


def _without_storage(hand: HandLaunch) -> set[str]:
    """Return the largest tensors, such that the others fit together."""
    sizes = {
        argument.name: prod(argument.shape) * DTYPES[argument.dtype].itemsize
        for argument in hand.arguments
        if argument.dtype is not None
    }
    left, found = sum(sizes.values()), set()
    for name in sorted(sizes, key=lambda name: -sizes[name]):
        if left <= MOST_FILLED:
            break
        found.add(name)
        left -= sizes[name]
    return found


def _tensor(argument: Argument, seed: int, *, virtual: bool) -> torch.Tensor:
    """Return a tensor of normal random numbers, of small integers, or of truth values."""
    assert argument.dtype is not None
    dtype = DTYPES[argument.dtype]
    if virtual:
        return torch.empty(argument.shape, dtype=dtype, device="meta")
    generator = torch.Generator().manual_seed(seed)
    if dtype.is_floating_point:
        return torch.randn(argument.shape, generator=generator).to(dtype)
    if dtype is torch.bool:
        return torch.randint(0, 2, argument.shape, generator=generator).bool()
    return torch.randint(SMALL.start, SMALL.stop, argument.shape, generator=generator, dtype=dtype)
