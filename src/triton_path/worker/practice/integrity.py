"""Sees whether a file replaced functions that the grader relies on: clocks, torch, the grader."""

from __future__ import annotations

import sys
import types
from typing import TYPE_CHECKING, Any

from triton_path.jobs.practice import Finding

if TYPE_CHECKING:
    from collections.abc import Iterator

KINDS = (types.FunctionType, types.BuiltinFunctionType, types.MethodDescriptorType, type)
NAMES = ("time", "torch", "torch.cuda", "torch.testing", "triton", "triton.testing")
"""Modules whose functions and classes must stay what they were."""
CLASSES = (("torch", "Tensor"), ("torch.cuda", "Event"), ("torch.cuda", "Stream"))
OWN = ("triton_path.worker.practice", "triton_path.worker.watch", "triton_path.worker.bench")


class Integrity:
    """The functions as they were before the file was imported."""

    def __init__(self) -> None:
        """Remember them."""
        self._before = {path: dict(vars(owner)) for path, owner in _owners()}

    def replaced(self) -> list[str]:
        """Return the full names of those that are others now."""
        found = []
        for path, owner in _owners():
            now = vars(owner)
            for key, value in self._before.get(path, {}).items():
                other = now.get(key, value)
                # Lazily set values are no functions; few differ, so only these are looked at.
                if other is not value and isinstance(value, KINDS) and not _by_torch(other):
                    found.append(f"{path}.{key}")
        return found


def _owners() -> Iterator[tuple[str, Any]]:
    for name, module in list(sys.modules.items()):
        if name in NAMES or name.startswith(OWN):
            yield name, module
    for module_name, class_name in CLASSES:
        owner = getattr(sys.modules.get(module_name), class_name, None)
        if owner is not None:
            yield f"{module_name}.{class_name}", owner


def tampered(before: Integrity) -> Finding | None:
    """Return what a file replaced since `before`, as a finding."""
    replaced = before.replaced()
    if not replaced:
        return None
    return Finding(
        kind="tampering",
        stage="rules",
        sentence=f"The file replaced `{replaced[0]}`, which the check relies on.",
        why="A result that was not measured and compared with the check's own tools says nothing.",
        remedy="leave the functions of time, torch and triton as they are",
    )


def _by_torch(value: Any) -> bool:
    """Tell whether torch put it there: torch._dynamo wraps a few functions when it is imported."""
    return str(getattr(value, "__module__", "")).partition(".")[0] == "torch"
