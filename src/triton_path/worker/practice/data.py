"""The tensors of a case, made from a seed: the same ones on every machine and device."""

from __future__ import annotations

import zlib
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.grading import evaluate

if TYPE_CHECKING:
    from triton_path.jobs.grading import Grading, Layout, TensorSpec
    from triton_path.worker.practice.cases import PlannedCase

FAR = 300.0
"""Distance of `uneven` rows: so far apart that `exp` of it is out of range."""
LARGE = 40.0
"""Standard deviation of `large` values: `exp` of such a number overflows float32 now and then."""
SPECIAL = (float("nan"), float("inf"), float("-inf"), 0.0, -0.0)
ODD_SHARE = 0.2
"""Share of `special` elements that are one of those."""
GAP = 3
"""Elements between the rows of a padded tensor."""


@dataclass(frozen=True)
class Inputs:
    """What the learner's function is called with."""

    tensors: dict[str, torch.Tensor]
    """All tensors by name, in the order of the parameters."""
    scalars: dict[str, float | int]
    outputs: tuple[str, ...]
    """Names of the tensors that the function fills or changes."""

    def to(self, device: str) -> Inputs:
        """Return the same tensors on `device`, with the same strides and offsets."""
        moved = {name: _moved(tensor, device) for name, tensor in self.tensors.items()}
        return Inputs(moved, self.scalars, self.outputs)

    def given(self, roles: dict[str, str], dtype: torch.dtype | None = None) -> list[torch.Tensor]:
        """Return copies of the tensors that hold something before the call, for a reference.

        `dtype` is what floating-point tensors are converted to; None leaves them.
        """
        copies = []
        for name, tensor in self.tensors.items():
            if roles[name] != "output":
                wanted = dtype if dtype is not None and tensor.is_floating_point() else tensor.dtype
                copies.append(tensor.detach().to(wanted, copy=True).contiguous())
        return copies


def make(grading: Grading, planned: PlannedCase, seed: int) -> Inputs:
    """Make the tensors of a case; outputs are filled with `unwritten_value`."""
    tensors = {spec.name: _tensor(spec, planned, seed) for spec in grading.tensors}
    scalars = {**grading.scalars, **planned.case.scalars}
    return Inputs(tensors, scalars, tuple(spec.name for spec in grading.outputs))


def roles(grading: Grading) -> dict[str, str]:
    """Return the role of each tensor by name."""
    return {spec.name: spec.role for spec in grading.tensors}


def dtype_of(spec: TensorSpec, planned: PlannedCase) -> torch.dtype:
    """Return the torch dtype of a tensor in a case."""
    dtype: torch.dtype = getattr(torch, planned.dtype if spec.dtype == "data" else spec.dtype)
    return dtype


def unwritten_value(dtype: torch.dtype) -> float | int | bool:
    """Return what outputs hold before the call: NaN, or the smallest integer."""
    if dtype.is_floating_point:
        return float("nan")
    return False if dtype is torch.bool else torch.iinfo(dtype).min


def _tensor(spec: TensorSpec, planned: PlannedCase, seed: int) -> torch.Tensor:
    sizes = planned.sizes
    shape = tuple(evaluate(size, sizes) for size in spec.shape)
    dtype = dtype_of(spec, planned)
    layout = planned.case.layouts.get(spec.name, "contiguous")
    if planned.case.memoryless:
        with torch.device("meta"):
            return _laid_out(shape, dtype, layout)
    if layout == "expanded":
        one = _values(spec, planned, (1, *shape[1:]), dtype, seed)
        return torch.empty_like(one).copy_(one).expand(shape)
    tensor = _laid_out(shape, dtype, layout)
    if spec.role == "output":
        # Through NumPy: the watch must go on taking it for memory that nobody filled.
        _raw(tensor).fill(_pattern(dtype))
    else:
        tensor.copy_(_values(spec, planned, shape, dtype, seed))
    return tensor


def _laid_out(shape: tuple[int, ...], dtype: torch.dtype, layout: Layout) -> torch.Tensor:
    """Return an empty tensor whose elements lie in memory as `layout` says."""
    if layout == "contiguous" or not shape:
        return torch.empty(shape, dtype=dtype)
    *rows, last = shape
    if layout == "expanded":
        return torch.empty((1, *shape[1:]), dtype=dtype).expand(shape)
    if layout == "sliced":
        whole = torch.empty((*rows, 2 * last), dtype=dtype)
        view = whole[..., ::2]
    elif layout == "padded":
        whole = torch.empty((*rows, last + GAP), dtype=dtype)
        view = whole[..., :last]
    elif layout == "transposed":
        whole = torch.empty(shape[::-1], dtype=dtype)
        view = whole.permute(*reversed(range(len(shape))))
    else:
        whole = torch.empty(torch.Size(shape).numel() + 1, dtype=dtype)
        view = whole[1:].view(shape)
    if whole.device.type != "meta":
        _raw(whole).fill(_pattern(dtype))  # whoever reads a gap meets NaN
    return view


def _values(
    spec: TensorSpec, planned: PlannedCase, shape: tuple[int, ...], dtype: torch.dtype, seed: int
) -> torch.Tensor:
    kind = planned.case.values.get(spec.name, spec.values)
    drawn = torch.Generator().manual_seed(
        zlib.crc32(f"{seed} {planned.label.number} {spec.name}".encode())
    )
    low, high = evaluate(spec.low, planned.sizes), evaluate(spec.high, planned.sizes)
    if kind == "ones" or kind == "zeros":
        return torch.full(shape, float(kind == "ones")).to(dtype)
    if kind == "booleans":
        return torch.randint(0, 2, shape, generator=drawn).to(dtype)
    if kind == "permutation":
        count = torch.Size(shape).numel()
        return torch.randperm(count, generator=drawn).view(shape).to(dtype)
    if kind == "integers" or not dtype.is_floating_point:
        return torch.randint(low, max(high, low + 1), shape, generator=drawn).to(dtype)
    if kind == "uniform":
        return torch.rand(shape, generator=drawn).to(dtype)
    if kind == "positive":
        return (torch.rand(shape, generator=drawn) + 0.5).to(dtype)
    normal = torch.randn(shape, generator=drawn)
    if kind == "large":
        return (normal * LARGE).to(dtype)
    if kind == "wide":
        return (normal * 10 ** (7 * torch.rand(shape, generator=drawn) - 3)).to(dtype)
    if kind == "rising":
        return normal.sort(dim=-1).values.to(dtype)
    if kind == "uneven":
        rows = torch.randperm(shape[0], generator=drawn) - shape[0] // 2
        return (normal + FAR * rows.reshape(-1, *(1 for _ in shape[1:]))).to(dtype)
    if kind == "lowest":
        least = torch.finfo(dtype).min
        return (least * (0.5 + 0.4 * torch.rand(shape, generator=drawn))).to(dtype)
    if kind == "special":
        odd = torch.tensor(SPECIAL)[torch.randint(0, len(SPECIAL), shape, generator=drawn)]
        return torch.where(torch.rand(shape, generator=drawn) < ODD_SHARE, odd, normal).to(dtype)
    return normal.to(dtype)


_BITS = {1: torch.uint8, 2: torch.int16, 4: torch.int32, 8: torch.int64}
_NAN = {2: 0x7E5A, 4: 0x7FC05A5A, 8: 0x7FF8_5A5A_5A5A_5A5A}
"""NaNs with bits of their own: an arithmetic NaN is another one, so what was written shows."""
_BFLOAT16_NAN = 0x7FDA


def _pattern(dtype: torch.dtype) -> int:
    if dtype is torch.bfloat16:
        return _BFLOAT16_NAN
    if dtype.is_floating_point:
        return _NAN[dtype.itemsize]
    return int(unwritten_value(dtype))


def _raw(tensor: torch.Tensor) -> Any:
    """Return the elements as a NumPy array over the same memory; floats as their bits."""
    if tensor.dtype.is_floating_point:
        return tensor.view(_BITS[tensor.dtype.itemsize]).numpy()
    return tensor.numpy()


def untouched(tensor: torch.Tensor) -> Any:
    """Return a NumPy array of bool: the elements that still hold what was there before the call."""
    return _raw(tensor) == _pattern(tensor.dtype)


def _moved(tensor: torch.Tensor, device: str) -> torch.Tensor:
    if tensor.device.type == "meta":
        return tensor
    whole = torch.empty(0, dtype=tensor.dtype).set_(tensor.untyped_storage()).to(device)
    return whole.as_strided(tensor.shape, tensor.stride(), tensor.storage_offset())
