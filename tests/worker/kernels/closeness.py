"""Rule 1 of the bench: at most twice the error of eager, plus one unit in the last place."""

from __future__ import annotations

import pytest
import torch

# Where a GPU gives inf or NaN in silence, the interpreter's NumPy warns.
quiet = pytest.mark.filterwarnings("ignore::RuntimeWarning")

SHAPES = [(1, 1), (5, 100), (3, 257), (1, 4099), (2, 5120)]
DTYPES = [
    torch.float32,
    torch.float16,
    pytest.param(torch.bfloat16, marks=pytest.mark.gpu),  # the interpreter rounds it otherwise
]


def error(got, true):
    """Return the norm of the difference over the norm of the reference, both in float64."""
    return ((got.double() - true).norm() / true.norm().clamp_min(1e-300)).item()


def assert_as_close(got, eager, true):
    """Compare what a kernel gave with what eager gave and what float64 says, row by row too."""
    assert got.shape == true.shape
    assert got.dtype == eager.dtype
    nan = true.isnan()
    assert torch.equal(got.isnan(), nan)
    got, eager, true = (each.masked_fill(nan, 0.0) for each in (got, eager, true))
    ulp = torch.finfo(got.dtype).eps
    assert error(got, true) <= 2 * error(eager, true) + ulp
    for row in range(len(true)):
        assert error(got[row], true[row]) <= 2 * error(eager[row], true[row]) + ulp, f"row {row}"


def draw(*shape, dtype=torch.float32, device="cpu", seed=0, strided=False):
    """Draw a matrix whose every fourth row is a thousand times smaller; `strided` leaves gaps."""
    generator = torch.Generator(device).manual_seed(seed)
    *rows, width = shape
    columns = width + (8 if strided else 0)
    drawn = torch.randn(*rows, columns, generator=generator, device=device)
    if rows:
        drawn[3::4] *= 1e-3
    return drawn.to(dtype)[..., :width]


def nan_like(x):
    """Return a contiguous tensor like `x` that is NaN until it is written."""
    return torch.full(x.shape, float("nan"), dtype=x.dtype, device=x.device)
