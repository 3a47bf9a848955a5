"""What a kernel file states of each kernel: its operation and its bytes."""

from __future__ import annotations

from typing import NamedTuple


class Step(NamedTuple):
    """One kernel: its operation, and the bytes it reads and writes."""

    op: str
    read: int
    written: int
