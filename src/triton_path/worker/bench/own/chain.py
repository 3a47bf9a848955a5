"""A person's file as a chain of the instrument."""

from __future__ import annotations

from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import EAGER
from triton_path.worker.bench.chain import Chain, Provider, as_tuple
from triton_path.worker.bench.counting import as_meta, count
from triton_path.worker.bench.kinds import draws
from triton_path.worker.bench.own.loading import OwnFile, WrongFile, draw, raised, tried

if TYPE_CHECKING:
    from triton_path.jobs.bench import Shape
    from triton_path.worker.bench.chain import Tensors

META = "meta"


def chain_of(own: OwnFile, arguments: Tensors) -> Chain:
    """Return the chain; `arguments` may be on the meta device. Raises WrongFile."""
    outputs = as_tuple(tried(own, arguments))
    names = ("out",) if len(outputs) == 1 else tuple(f"out{n}" for n in range(len(outputs)))

    def inputs(_shape: Shape, _dtype: torch.dtype, device: str, _seed: int) -> Tensors:
        return draw(own, own.inputs, device)

    chain = Chain(
        name=own.path.name,
        about=own.about,
        inputs=inputs,
        outputs=names,
        reference=own.reference,
        eager=Provider(EAGER, own.eager, counted=True),
        others=tuple(
            Provider(_shown(name), function, compiles=True, own=True)
            for name, function in own.candidates.items()
        ),
    )
    if own.candidates:
        _refuse_random(chain, arguments)
    return chain


def _shown(name: str) -> str:
    """Return a candidate's name without what all of them have in common."""
    return name.removeprefix("candidate").strip("_") or "candidate"


def _refuse_random(chain: Chain, arguments: Tensors) -> None:
    """Raise WrongFile where eager draws random numbers: nothing could be compared with it."""
    drawn = [op.name for op in count(chain.eager, arguments).ops if draws(op.name)]
    if drawn:
        raise WrongFile(
            f"eager draws random numbers ({drawn[0]}), and a candidate draws others: their results "
            "cannot be compared.",
            mend="give the mask in inputs(), or set the dropout to 0, for the bench",
        )


def arguments_for_counting(own: OwnFile) -> Tensors:
    """Return arguments on the meta device, with no memory where the file allows it.

    Raises WrongFile.
    """
    try:
        return draw(own, own.inputs, META)
    except WrongFile:
        return as_meta(draw(own, own.inputs, "cpu"))


def counts_on_meta(own: OwnFile, arguments: Tensors) -> None:
    """Raise WrongFile where eager looks at values, which a count without memory has none of."""
    try:
        with torch.no_grad():
            own.eager(**as_meta(arguments))
    except Exception as fault:
        line = (str(fault).splitlines() or [""])[0]
        if "meta" not in line.lower() and "data-dependent" not in line.lower():
            raise raised(fault, own.path, "eager() raised.") from None
        raise WrongFile(
            f"eager cannot be counted by shapes alone: {type(fault).__name__}: {line}",
            mend="leave out .item(), nonzero() and `if` on values in what is benched",
        ) from None
