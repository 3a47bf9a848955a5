"""Random arguments for a chain, on any device; on `meta` they have a shape and no values."""

from __future__ import annotations

from dataclasses import dataclass, field

import torch

META = "meta"
TINY_ROWS = 1e-3


@dataclass
class Draw:
    """Draws from one seed, in the order of its calls."""

    device: str
    seed: int
    _generator: torch.Generator | None = field(init=False, default=None)

    def __post_init__(self) -> None:
        if self.device != META:
            self._generator = torch.Generator(self.device).manual_seed(self.seed)

    def normal(self, *size: int, dtype: torch.dtype, tiny_rows: bool = False) -> torch.Tensor:
        """Draw from a normal distribution.

        `tiny_rows`: each fourth row is a thousand times smaller; there a mean of squares is near
        an eps of 1e-6, so that a kernel with another eps is found out.
        """
        if self._generator is None:
            return torch.empty(size, dtype=dtype, device=META)
        drawn = torch.randn(size, generator=self._generator, device=self.device)
        if tiny_rows:
            drawn[3::4] *= TINY_ROWS
        return drawn.to(dtype)

    def integers(self, below: int, *size: int) -> torch.Tensor:
        """Draw int64 from 0 up to, not including, `below`."""
        if self._generator is None:
            return torch.empty(size, dtype=torch.int64, device=META)
        return torch.randint(0, below, size, generator=self._generator, device=self.device)


def apart(tensor: torch.Tensor) -> torch.Tensor:
    """Return the same values with seven unused elements after each row."""
    wider = torch.empty(*tensor.shape[:-1], tensor.shape[-1] + 7, dtype=tensor.dtype)
    part = wider.to(tensor.device)[..., : tensor.shape[-1]]
    return part.copy_(tensor)
