"""The benches there are: what each is about, and the sizes that it is shown at.

A bench is one entry here and one file of its name in worker/bench/chains/.
"""

from __future__ import annotations

from dataclasses import dataclass

from triton_path.jobs.bench import MAX_WIDTH, Shape


def _sizes(*words: str) -> tuple[Shape, ...]:
    pairs = (word.split("x") for word in words)
    return tuple(Shape(rows=int(rows), width=int(width)) for rows, width in pairs)


DEFAULT = Shape(rows=16384, width=4096)


@dataclass(frozen=True)
class Bench:
    """What the tutor has to know of a chain before anything is computed."""

    about: str
    """What is computed, in a line."""
    sizes: tuple[Shape, ...]
    """Its sweep, the smallest first."""
    default: Shape = DEFAULT
    max_width: int = MAX_WIDTH
    dropout: bool = False
    """Whether it draws a dropout mask: --dropout and --rounds are for those alone."""
    backward: bool = False
    """Whether its gradients can be benched."""


BY_ROWS = _sizes("16x4096", "64x4096", "256x4096", "1024x4096", "4096x4096", "16384x4096")
BY_WIDTH = _sizes("65536x1024", "32768x2048", "8192x8192", "4096x16384")
"""64 Mi elements a tensor, as 16384x4096 has."""

VERY_WIDE = 1 << 18
"""A row that is read twice, or has no need to be held."""
BY_VOCABULARY = _sizes("16x32000", "128x32000", "1024x32000", "8192x32000", "4096x131072")

BENCHES = {
    "fused-transformer": Bench(
        "dropout, residual and RMSNorm between two T5 sublayers: ten eager kernels against one",
        sizes=BY_ROWS + BY_WIDTH,
        dropout=True,
        backward=True,
    ),
    "vector-add": Bench(
        "the sum of two tensors: one kernel either way, and what a kernel can reach",
        sizes=BY_ROWS,
        max_width=VERY_WIDE,
    ),
    "softmax": Bench(
        "softmax over rows: five eager kernels against one",
        sizes=BY_ROWS + BY_WIDTH,
        max_width=VERY_WIDE,
    ),
    "rms-norm": Bench(
        "RMSNorm as LLaMA writes it: eight eager kernels against one",
        sizes=BY_ROWS + BY_WIDTH,
        max_width=VERY_WIDE,
    ),
    "layer-norm": Bench(
        "LayerNorm written out: eleven eager kernels against one",
        sizes=BY_ROWS + BY_WIDTH,
        max_width=VERY_WIDE,
    ),
    "swiglu": Bench(
        "SwiGLU between the matrix products of an MLP: three eager kernels against one",
        sizes=BY_ROWS,
        max_width=VERY_WIDE,
    ),
    "cross-entropy": Bench(
        "the loss of a language model: three eager kernels, and no softmax in memory",
        sizes=BY_VOCABULARY,
        default=Shape(rows=8192, width=32000),
        max_width=VERY_WIDE,
        backward=True,
    ),
    "dropout": Bench(
        "dropout written out: four eager kernels against one that keeps a seed, not a mask",
        sizes=BY_ROWS,
        max_width=VERY_WIDE,
        dropout=True,
    ),
}
"""By name, in the order of `bench list`."""
