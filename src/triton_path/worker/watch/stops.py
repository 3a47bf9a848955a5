"""What a kernel is stopped with."""

from __future__ import annotations

from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from triton_path.jobs.watch import Fault, Kind


class KernelStopped(Exception):
    """A launch was stopped by a fault; `watch` takes it, so host code need not."""

    def __init__(self, fault: Fault) -> None:
        """`fault` is also in the report."""
        super().__init__(fault.sentence)
        self.fault = fault


class Halt(Exception):
    """Raised inside a kernel, where only a kind and its facts are known."""

    def __init__(self, kind: Kind, **facts: object) -> None:
        """`facts` are what the sentence of `kind` needs; see `wording`."""
        super().__init__(kind)
        self.kind = kind
        self.facts = facts


class OutOfTime(BaseException):
    """The time limit of a run passed; no `except Exception` of a learner may catch it."""
