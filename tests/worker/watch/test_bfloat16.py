"""Rounding to bfloat16 against torch, which does it right."""

from __future__ import annotations

import numpy as np
import torch

from triton_path.worker.watch.bfloat16 import from_bfloat16, to_bfloat16


def test_every_bfloat16_survives() -> None:
    bits = np.arange(1 << 16, dtype=np.uint16)
    back = to_bfloat16(from_bfloat16(bits))
    numbers = ~np.isnan(from_bfloat16(bits))
    assert np.array_equal(back[numbers], bits[numbers])
    assert np.isnan(from_bfloat16(back[~numbers])).all()


def test_float32_rounds_as_torch_rounds() -> None:
    generator = np.random.default_rng(0)
    bits = generator.integers(0, 1 << 32, 200_000, dtype=np.uint32)
    bits[:1000] = (bits[:1000] & 0xFFFF0000) | 0x8000  # ties
    values = bits.view(np.float32)
    wanted = torch.from_numpy(values).bfloat16().view(torch.int16).numpy().view(np.uint16)
    numbers = ~np.isnan(values)
    assert np.array_equal(to_bfloat16(values)[numbers], wanted[numbers])


def test_float64_rounds_once() -> None:
    half = 2.0**-8
    just_above_a_tie = np.array([1.0 + half + 2.0**-40, -(1.0 + half + 2.0**-40)])
    just_below = np.array([1.0 + half - 2.0**-40, 1.0 + 3 * half - 2.0**-40])
    assert from_bfloat16(to_bfloat16(just_above_a_tie)).tolist() == [1.0078125, -1.0078125]
    assert from_bfloat16(to_bfloat16(just_below)).tolist() == [1.0, 1.0078125]
    assert from_bfloat16(to_bfloat16(np.array([1e300, -np.inf]))).tolist() == [np.inf, -np.inf]
