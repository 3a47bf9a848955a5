"""What is computed at one shape, and who computes it."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.bench import BEST_EAGER, COMPILED, EAGER, FUSED, TEN_ROUNDS
from triton_path.worker.kernels import fused_transformer as chain

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.bench import Case, Shape

    Run = Callable[[torch.Tensor, torch.Tensor, torch.Tensor], chain.Pair]


@dataclass(frozen=True)
class Inputs:
    """x and residual of shape (rows, width), weight of shape (width,)."""

    x: torch.Tensor
    residual: torch.Tensor
    weight: torch.Tensor


def random_inputs(
    shape: Shape, dtype: torch.dtype, device: str, *, seed: int, strided: bool = False
) -> Inputs:
    """Draw inputs from a normal distribution; each fourth row is a thousand times smaller.

    There the mean of squares is near eps, so that a kernel with another eps is found out.
    `strided` puts seven unused elements after each row.
    """
    generator = torch.Generator(device).manual_seed(seed)

    def draw(*size: int) -> torch.Tensor:
        return torch.randn(*size, generator=generator, device=device, dtype=torch.float32)

    columns = shape.width + (7 if strided else 0)
    both = []
    for _ in range(2):
        drawn = draw(shape.rows, columns)
        drawn[3::4] *= 1e-3
        both.append(drawn.to(dtype)[:, : shape.width])
    return Inputs(both[0], both[1], draw(shape.width).to(dtype))


@dataclass(frozen=True)
class Provider:
    """One way to compute the chain."""

    name: str
    run: Run
    steps: list[chain.Step]
    """The kernels that it should take, with their bytes."""
    exact: bool
    """Whether `steps` must be met to the kernel; otherwise they are the least it can move."""

    @property
    def read(self) -> int:
        """Bytes read, by the formula."""
        return sum(step.read for step in self.steps)

    @property
    def written(self) -> int:
        """Bytes written, by the formula."""
        return sum(step.written for step in self.steps)


def eager_provider(case: Case, shape: Shape, size: int) -> Provider:
    """Return the chain as it is written in eager PyTorch; `size` is the bytes of an element."""
    return Provider(
        EAGER,
        lambda x, r, w: chain.eager(x, r, w, case.dropout),
        chain.eager_steps(shape.rows, shape.width, size, case.dropout),
        # Beyond 2 GiB an operand PyTorch splits its kernels.
        exact=shape.rows * shape.width * 4 < 2**31,
    )


def best_eager_provider(case: Case, shape: Shape, size: int) -> Provider:
    """Return eager PyTorch with its own RMSNorm (one kernel from some release on)."""
    return Provider(
        BEST_EAGER,
        lambda x, r, w: chain.best_eager(x, r, w, case.dropout),
        chain.best_eager_steps(shape.rows, shape.width, size, case.dropout),
        exact=False,
    )


def compiled_provider(case: Case, shape: Shape, size: int) -> Provider:
    """Return the eager chain under torch.compile, with dynamo reset.

    After a few shapes dynamo reaches its limit and runs eager with a mere warning.
    """
    torch._dynamo.reset()
    compiled = torch.compile(chain.eager, dynamic=False)
    return Provider(
        COMPILED,
        lambda x, r, w: compiled(x, r, w, case.dropout),
        chain.fused_steps(shape.rows, shape.width, size),
        exact=False,
    )


def fused_provider(case: Case, shape: Shape, size: int, *, rounds: int | None = None) -> Provider:
    """Return the Triton kernel, with `rounds` Philox rounds or those of `case`."""
    used = rounds or case.rounds
    return Provider(
        FUSED if rounds is None else TEN_ROUNDS,
        lambda x, r, w: chain.fused(x, r, w, case.dropout, rounds=used),
        chain.fused_steps(shape.rows, shape.width, size),
        exact=True,
    )
