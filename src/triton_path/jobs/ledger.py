"""The ledger of a chain: what each of its operations moves, and what could be one kernel."""

from __future__ import annotations

from typing import Literal

from triton_path.jobs.figures import Figure
from triton_path.jobs.messages import Message

OpKind = Literal["elementwise", "reduction", "whole reduction", "matrix product", "other"]
"""`reduction` is along the last axis; `whole reduction` needs every row before its result is known.
Copies, conversions and random numbers are elementwise."""


class LedgerRow(Message):
    """One operation of the eager chain, in its order."""

    op: str
    """As PyTorch dispatches it; "-" for a kernel that belongs to no operation that was counted."""
    op_kind: OpKind
    part: int | None
    """Index into `Ledger.parts`."""
    kernels: tuple[str, ...] = ()
    """The kernels that a GPU ran for it; empty where none is here."""
    read: int | None
    """Bytes, each tensor that the operation touches counted once."""
    written: int | None
    time: Figure | None = None
    """Sum of its kernels' medians, or what its bytes take on the GPU of a prediction."""
    share: float
    """Of the chain's time where that was measured, else of its bytes; 0 to 1."""
    cumulative: float
    """`share` of this row and all above it."""


class Part(Message):
    """Operations that follow each other and could be one kernel, or one that stands alone."""

    first: int
    """Index of its first row."""
    ops: int
    fusable: bool
    why: str
    """What ends it or keeps it alone; empty for the last part."""
    bytes_now: int
    bytes_fused: int
    """What comes from outside read once, what is used outside written once."""


class Ledger(Message):
    """All rows, and the plan that follows from them."""

    rows: tuple[LedgerRow, ...]
    parts: tuple[Part, ...]
    measured: bool
    """Whether times and shares were measured by the profiler."""
    runs: int = 0
    """Profiled runs that each time is the median of, the cache flushed before each."""
    note: str = ""
    """What does not fit: kernels without an operation."""

    @property
    def bytes_now(self) -> int:
        """Bytes of all operations one by one."""
        return sum(part.bytes_now for part in self.parts)

    @property
    def bytes_fused(self) -> int:
        """Bytes left if each part were one kernel."""
        return sum(part.bytes_fused for part in self.parts)
