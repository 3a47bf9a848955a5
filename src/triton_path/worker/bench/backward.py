"""The gradients of a chain as a chain of its own.

The arguments and the gradients of the outputs go in, the gradients of the inputs come out.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.bench import EAGER
from triton_path.worker.bench.chain import Chain, Function, Provider, Tensors, as_tuple
from triton_path.worker.bench.drawing import META, Draw

if TYPE_CHECKING:
    from triton_path.jobs.bench import Shape
    from triton_path.worker.bench.chain import Outputs

Prepare = Callable[[Tensors], Callable[[], Any]]

GRADIENT = "d_"
"""Begins the name of the gradient of what stands behind it."""
SEED_STEP = 1000
SLACK = 1e-6
"""Eight units in the last place of float32."""


def gradients_of(chain: Chain) -> Chain:
    """Return the chain of `chain`'s gradients. Raises ValueError for one that has none."""
    backward = chain.backward
    if backward is None:
        raise ValueError(f"{chain.name} has no backward")
    wanted, outputs = backward.wanted, chain.outputs

    def inputs(shape: Shape, dtype: torch.dtype, device: str, seed: int) -> Tensors:
        given = chain.inputs(shape, dtype, device, seed)
        on_meta = given if device == META else chain.inputs(shape, dtype, META, seed)
        with torch.no_grad():
            made = as_tuple(chain.eager.bind(on_meta)())
        draw = Draw(device, seed + SEED_STEP)
        gradients = {
            GRADIENT + name: draw.normal(*output.shape, dtype=output.dtype)
            for name, output in zip(outputs, made, strict=True)
        }
        return {**given, **gradients}

    def reference(*, keep: torch.Tensor | None = None, **given: Any) -> Outputs:
        function = chain.reference or chain.eager.function
        more = {} if keep is None else {"keep": keep}
        return as_tuple(by_autograd(function, outputs, wanted, more)(given)())

    by = whole_by_autograd if backward.together else by_autograd

    def differentiated(provider: Provider) -> Provider:
        return Provider(
            provider.name,
            provider.function,
            # Other devices decompose the backward of what a GPU has one kernel for.
            counted=provider.name == EAGER,
            compiles=provider.compiles,
            optional=provider.name != EAGER,
            held_to=provider.held_to,
            prepare=by(provider.function, outputs, wanted),
        )

    plain = [provider for provider in chain.others if provider.counted]
    return Chain(
        name=chain.name,
        about=f"the gradients of: {chain.about}",
        inputs=inputs,
        outputs=tuple(GRADIENT + name for name in wanted),
        reference=reference,
        eager=differentiated(chain.eager),
        others=(*map(differentiated, plain), *backward.others),
        least=backward.least,
        dropout=backward.dropout,
        random=chain.random,
        differentiate=lambda function: of_compiled(by(function, outputs, wanted)),
        slack=SLACK,
        interpreted=backward.interpreted,
    )


def by_autograd(
    function: Function,
    outputs: tuple[str, ...],
    wanted: tuple[str, ...],
    more: dict[str, Any] | None = None,
) -> Prepare:
    """Return what runs the forward of `function` and gives the call of its backward alone."""

    def prepare(given: Tensors) -> Callable[[], Outputs]:
        forward, leaves, gradients = _forward(function, outputs, wanted, given, more or {})
        made = forward()

        def backward() -> Outputs:
            return torch.autograd.grad(made, leaves, gradients, retain_graph=True)

        return backward

    return prepare


def whole_by_autograd(
    function: Function, outputs: tuple[str, ...], wanted: tuple[str, ...]
) -> Prepare:
    """Return what gives the call of the forward and the backward together."""

    def prepare(given: Tensors) -> Callable[[], Outputs]:
        forward, leaves, gradients = _forward(function, outputs, wanted, given, {})
        return lambda: torch.autograd.grad(forward(), leaves, gradients)

    return prepare


def of_compiled(prepare: Prepare) -> Prepare:
    """Let the backward of a compiled function run many times."""
    # It takes the memory of what was saved for it otherwise, and could run only once.
    torch._functorch.config.donated_buffer = False
    return prepare


def _forward(
    function: Function,
    outputs: tuple[str, ...],
    wanted: tuple[str, ...],
    given: Tensors,
    more: dict[str, Any],
) -> tuple[Callable[[], Outputs], list[torch.Tensor], list[torch.Tensor]]:
    """Return the call of the forward, its leaves, and the gradients of what it returns."""
    gradients = [given[GRADIENT + name] for name in outputs]
    arguments = {name: value for name, value in given.items() if not name.startswith(GRADIENT)}
    leaves = {name: arguments[name].detach().requires_grad_() for name in wanted}

    def forward() -> Outputs:
        with torch.enable_grad():
            return as_tuple(function(**{**arguments, **leaves}, **more))

    return forward, list(leaves.values()), gradients
