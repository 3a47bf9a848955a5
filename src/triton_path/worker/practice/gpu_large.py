"""The tensors of the timed case, made on the GPU: drawing them on the CPU would take seconds."""

from __future__ import annotations

import zlib
from typing import TYPE_CHECKING

import torch

from triton_path.jobs.grading import evaluate
from triton_path.worker.practice.data import LARGE, Inputs, dtype_of, unwritten_value

if TYPE_CHECKING:
    from triton_path.jobs.grading import Grading, TensorSpec
    from triton_path.worker.practice.cases import PlannedCase
    from triton_path.worker.practice.compare import Expected

SAMPLE_STEP = 4099
"""A prime: looks at every 4099th element, so at blocks of every size and place."""


def make_large(grading: Grading, planned: PlannedCase, seed: int, device: str) -> Inputs:
    """Make contiguous tensors on `device`; outputs are filled with `unwritten_value`."""
    tensors = {spec.name: _tensor(spec, planned, seed, device) for spec in grading.tensors}
    scalars = {**grading.scalars, **planned.case.scalars}
    return Inputs(tensors, scalars, tuple(spec.name for spec in grading.outputs))


def _tensor(spec: TensorSpec, planned: PlannedCase, seed: int, device: str) -> torch.Tensor:
    shape = tuple(evaluate(size, planned.sizes) for size in spec.shape)
    dtype = dtype_of(spec, planned)
    if spec.role == "output":
        return torch.full(shape, unwritten_value(dtype), dtype=dtype, device=device)
    drawn = torch.Generator(device).manual_seed(zlib.crc32(f"{seed} {spec.name}".encode()))
    low, high = evaluate(spec.low, planned.sizes), evaluate(spec.high, planned.sizes)
    kind = planned.case.values.get(spec.name, spec.values)
    if kind in ("ones", "zeros"):
        return torch.full(shape, float(kind == "ones"), device=device).to(dtype)
    if kind == "booleans":
        return torch.randint(0, 2, shape, generator=drawn, device=device).to(dtype)
    if kind == "permutation":
        count = torch.Size(shape).numel()
        return torch.randperm(count, generator=drawn, device=device).view(shape).to(dtype)
    if kind == "integers" or not dtype.is_floating_point:
        whole = torch.randint(low, max(high, low + 1), shape, generator=drawn, device=device)
        return whole.to(dtype)
    if kind in ("uniform", "positive"):
        shift = 0.5 if kind == "positive" else 0.0
        return torch.rand(shape, generator=drawn, device=device).add_(shift).to(dtype)
    scale = LARGE if kind == "large" else 1.0
    return torch.randn(shape, generator=drawn, device=device).mul_(scale).to(dtype)


class Outputs:
    """The outputs of the timed case: set back before each run, looked at after it."""

    def __init__(self, grading: Grading, inputs: Inputs, wanted: list[Expected]) -> None:
        """Keep what tensors that are changed in place hold before the call."""
        self._inputs = inputs
        self._in_place = {
            spec.name: inputs.tensors[spec.name].clone()
            for spec in grading.outputs
            if spec.role == "in-place"
        }
        self._numbers = {
            spec.name: ~want.value.reshape(-1)[::SAMPLE_STEP].isnan()
            for spec, want in zip(grading.outputs, wanted, strict=True)
            if spec.name not in self._in_place and inputs.tensors[spec.name].is_floating_point()
        }
        """Where a sampled element of an output must be a number."""
        device = next(iter(inputs.tensors.values())).device
        self._unwritten = {
            name: torch.zeros((), dtype=torch.bool, device=device) for name in self._numbers
        }

    def set_back(self) -> None:
        """Fill the outputs as they are before a call."""
        for name in self._inputs.outputs:
            tensor = self._inputs.tensors[name]
            if name in self._in_place:
                tensor.copy_(self._in_place[name])
            else:
                tensor.fill_(unwritten_value(tensor.dtype))

    def look(self) -> None:
        """Note whether the call left a sampled element unwritten; nothing waits for the answer."""
        for name, number in self._numbers.items():
            left = self._inputs.tensors[name].reshape(-1)[::SAMPLE_STEP].isnan()
            self._unwritten[name].logical_or_((left & number).any())

    def unwritten(self) -> str | None:
        """Return the name of an output that some call left unwritten."""
        return next((name for name, left in self._unwritten.items() if bool(left)), None)
