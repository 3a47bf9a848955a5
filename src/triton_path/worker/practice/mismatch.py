"""A small picture of where an output is wrong: expected and got, around the first wrong element."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.jobs.practice import Cell, Mismatch
from triton_path.worker.practice.compare import tolerance_in_words

if TYPE_CHECKING:
    import torch

    from triton_path.jobs.grading import Grading
    from triton_path.worker.practice.cases import PlannedCase
    from triton_path.worker.practice.compare import Difference, Expected

ROWS, COLUMNS = 4, 5
"""Size of the picture."""


def mismatch(
    name: str,
    got: torch.Tensor,
    wanted: Expected,
    difference: Difference,
    grading: Grading,
    planned: PlannedCase,
    patterns: list[str],
) -> Mismatch:
    """Describe the wrong elements of one output."""
    wrong = difference.wrong
    first = tuple(int(part) for part in wrong.nonzero()[0])
    rows, columns, cells = _picture(got, wanted.value, wrong, first)
    return Mismatch(
        output=name,
        shape=tuple(got.shape),
        dtype=str(got.dtype).removeprefix("torch."),
        wrong=int(wrong.sum()),
        total=wrong.numel(),
        first=first,
        expected=text(wanted.value[first]),
        got=text(got[first]),
        difference=f"{difference.largest:.3g}",
        tolerance=tolerance_in_words(grading, planned, got.dtype),
        patterns=tuple(patterns),
        rows=rows,
        columns=columns,
        cells=cells,
    )


def _picture(
    got: torch.Tensor, want: torch.Tensor, wrong: torch.Tensor, first: tuple[int, ...]
) -> tuple[tuple[int, ...], tuple[int, ...], tuple[tuple[Cell, ...], ...]]:
    if got.dim() == 0:
        return (), (0,), ((_cell(got, want, wrong),),)
    for axis in first[:-2]:  # the batch of the first wrong element
        got, want, wrong = got[axis], want[axis], wrong[axis]
    vector = got.dim() == 1
    if vector:
        got, want, wrong = got[None], want[None], wrong[None]
    row, column = (0, first[-1]) if vector else first[-2:]
    rows = _window(row, got.shape[0], ROWS)
    columns = _window(column, got.shape[1], COLUMNS)
    cells = tuple(tuple(_cell(got[r, c], want[r, c], wrong[r, c]) for c in columns) for r in rows)
    return () if vector else rows, columns, cells


def _window(middle: int, size: int, most: int) -> tuple[int, ...]:
    """Return up to `most` numbers below `size` with one before `middle`, where there is one."""
    start = max(0, min(middle - 1, size - most))
    return tuple(range(start, min(size, start + most)))


def _cell(got: torch.Tensor, want: torch.Tensor, wrong: torch.Tensor) -> Cell:
    return Cell(expected=text(want), got=text(got), wrong=bool(wrong))


def text(value: torch.Tensor) -> str:
    """Return one element as a short text."""
    number = value.item()
    return f"{number:.4g}" if isinstance(number, float) else str(number)
