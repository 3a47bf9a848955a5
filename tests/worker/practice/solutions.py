"""A small exercise and files that solve it in ways a grader must tell apart: scale x by a."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.grading import Case, Fresh, Grading, TensorSpec
from triton_path.jobs.practice import CheckJob, Mistake

if TYPE_CHECKING:
    from pathlib import Path

GRADING = Grading(
    entry="scale",
    tensors=(
        TensorSpec(name="x", shape=("n",)),
        TensorSpec(name="out", shape=("n",), role="output"),
    ),
    scalars={"a": 3.0},
    dtypes=("float32", "float16"),
    cases=(
        Case(sizes={"n": 64}, why="two whole blocks"),
        Case(sizes={"n": 50}, why="a ragged last block"),
        Case(sizes={"n": 33}, dtype="float16"),
    ),
    fresh=(Fresh(sizes={"n": (2, 90)}),),
    most_launches=1,
)

REFERENCE = """
def reference(x, a):
    return x * a
"""

RIGHT = """
import torch
import triton
import triton.language as tl


@triton.jit
def kernel(x_ptr, out_ptr, a, n, BLOCK: tl.constexpr):
    i = tl.program_id(0) * BLOCK + tl.arange(0, BLOCK)
    inside = i < n
    x = tl.load(x_ptr + i, mask=inside)
    tl.store(out_ptr + i, x * a, mask=inside)


def scale(x, out, a):
    n = out.numel()
    kernel[(triton.cdiv(n, 32),)](x, out, a, n, BLOCK=32)
"""


def changed(*replacements: tuple[str, str]) -> str:
    """Return the right solution with pieces of it replaced; each must be there."""
    text = RIGHT
    for old, new in replacements:
        assert old in text, old
        text = text.replace(old, new)
    return text


LAUNCH = "    kernel[(triton.cdiv(n, 32),)](x, out, a, n, BLOCK=32)\n"


def job(folder: Path, text: str, *, grading: Grading = GRADING, **more: object) -> CheckJob:
    """Write a solution and its reference to `folder`; return the job that checks it."""
    (folder / "reference.py").write_text(REFERENCE)
    path = folder / "scale.py"
    path.write_text(text)
    return CheckJob(
        path=str(path),
        exercise="scale",
        reference=str(folder / "reference.py"),
        grading=grading,
        seed=7,
        **more,  # type: ignore[arg-type]
    )


def mistake(folder: Path, name: str, fault: str, text: str) -> Mistake:
    """Write a wrong solution and return the mistake that it stands for."""
    path = folder / f"{name}.py"
    path.write_text(text)
    return Mistake(path=str(path), name=name, read="somewhere", fault=fault)
