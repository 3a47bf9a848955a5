"""A fault of a course file: where it is and what is wrong, for an author to mend."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from triton_path.errors import CourseFault

if TYPE_CHECKING:
    from collections.abc import Sequence

MOST_SHOWN = 40


@dataclass(frozen=True, order=True)
class Fault:
    """One fault; all faults of a course are reported at once."""

    file: str
    """Path below the course folder."""
    line: int
    """Line in the file, from 1."""
    field: str
    """The field, such as `questions.2.choices`; empty where the whole file is meant."""
    message: str

    def __str__(self) -> str:
        field = f" {self.field}:" if self.field else ""
        return f"{self.file}:{self.line}:{field} {self.message}"


def raise_for(faults: Sequence[Fault]) -> None:
    """Raise a CourseFault that lists `faults`, if there are any."""
    if not faults:
        return
    shown = [f"  {fault}" for fault in sorted(set(faults))]
    if len(shown) > MOST_SHOWN:
        shown[MOST_SHOWN:] = [f"  and {len(shown) - MOST_SHOWN} more"]
    count = "1 fault" if len(faults) == 1 else f"{len(faults)} faults"
    raise CourseFault("\n".join([f"The course has {count}:", *shown]), "triton-path course check")
