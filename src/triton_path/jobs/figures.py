"""A figure and how it was obtained: what every report is made of."""

from __future__ import annotations

from typing import Literal

from triton_path.jobs.messages import Message

Kind = Literal["measured", "counted", "predicted"]


class Figure(Message):
    """A number, its unit and how it was obtained."""

    value: int | float
    unit: str
    kind: Kind


class Timing(Figure):
    """A measured time: `value` is the median of `n` runs."""

    p20: float
    p80: float
    n: int
