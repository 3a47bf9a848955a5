"""The rows of `triton-path doctor`, what they add up to, and the document of `--json`."""

from __future__ import annotations

from typing import TYPE_CHECKING, Annotated, Literal

from pydantic import Field

from triton_path.jobs.bench import Figure, Timing
from triton_path.jobs.messages import Message

if TYPE_CHECKING:
    from collections.abc import Sequence

SCHEMA: Literal["triton-path/doctor/1"] = "triton-path/doctor/1"
State = Literal["works", "limited", "missing", "broken"]

FOR_LESSONS = ("python", "store", "course")
"""Rows without which no lesson is read and no question kept."""
FOR_KERNELS = ("torch", "triton", "numpy", "fit", "interpreter")
"""Rows without which no kernel runs here, GPU or not."""
FOR_COMPILING = ("triton", "compile")
NEEDED = ("python", "torch", "triton", "numpy", "fit", "interpreter", "compile", "store", "course")
"""Rows that the course needs on every machine. GPU, C++ compiler, terminal, editor and cache are
good to have: without them something is slower, plainer or predicted, and nothing is lost. The
folder of exercises is made when it is first wanted."""
NEXT = "triton-path learn"


class Row(Message):
    """One thing that was tried."""

    id: str
    state: State
    found: str
    """What was found, in one sentence or less."""
    enables: str
    """What it is for."""
    mend: str | None = None
    """The command that mends it; None where it is fine or no command can."""

    @property
    def usable(self) -> bool:
        """Whether it does its work, with or without a limit."""
        return self.state in ("works", "limited")


class Copy(Message):
    """How fast the GPU copies, which bounds every kernel that is bound by memory."""

    device: str
    bandwidth: Figure
    """Bytes read plus bytes written, over the median time."""
    time: Timing
    bytes: int


class Report(Message):
    """The whole document; dump it by alias, so that its first field is named `schema`."""

    schema_: Annotated[Literal["triton-path/doctor/1"], Field(alias="schema")] = SCHEMA
    rows: tuple[Row, ...]
    gpu_copy: Copy | None = None
    can: tuple[str, ...]
    """What can be done here, a phrase each."""
    cannot: tuple[str, ...]
    faults: tuple[str, ...]
    """Ids of the rows for which the exit code is 3."""
    next: str
    """The one command to type next."""


def by_id(rows: Sequence[Row]) -> dict[str, Row]:
    """Return the rows by their ids."""
    return {row.id: row for row in rows}


def report(rows: Sequence[Row], gpu_copy: Copy | None = None) -> Report:
    """Add up the rows."""
    found = by_id(rows)

    def all_of(*ids: str) -> bool:
        return all(found[name].usable for name in ids)

    abilities = {
        "read lessons and answer quizzes": all_of(*FOR_LESSONS),
        "run and check kernels in Triton's interpreter": all_of(*FOR_KERNELS),
        "compile kernels for any GPU": all_of(*FOR_COMPILING),
        "time kernels on a GPU": found["gpu"].state == "works",
    }
    faults = [row for row in rows if is_fault(row)]
    mends = [row.mend for row in faults if row.mend]
    return Report(
        rows=tuple(rows),
        gpu_copy=gpu_copy,
        can=tuple(name for name, here in abilities.items() if here),
        cannot=tuple(name for name, here in abilities.items() if not here),
        faults=tuple(row.id for row in faults),
        next=mends[0] if mends else NEXT,
    )


def is_fault(row: Row) -> bool:
    """Whether this row makes the exit code 3.

    A machine without a GPU is fine; one whose GPU is here and fails is not, since a bench would
    take it.
    """
    if row.id == "gpu":
        return row.state == "broken"
    return row.id in NEEDED and not row.usable
