"""Cases: a kernel, a launch, and what the watch must say about them.

Every file in `kernels` is read from top to bottom. The code up to and including a function with
`@case` belongs to that case; a comment `# fault: KIND` there names a fault that the watch must
find on that line. It must find those and no other. What a case returns are pairs that must be
equal afterwards: what the kernel gave, and what it should have given.
"""

from __future__ import annotations

import importlib
import pkgutil
import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_path.worker.watch import WatchOptions

if TYPE_CHECKING:
    from collections.abc import Callable

    import torch

    Pairs = list[tuple[torch.Tensor, torch.Tensor]] | None

MARKER = re.compile(r"#\s*fault:\s*([a-z-]+)")
FOLDER = Path(__file__).parent / "kernels"


@dataclass(frozen=True)
class Case:
    name: str
    run: Callable[[], Pairs]
    options: WatchOptions
    expected: frozenset[tuple[str, str, int]]
    """File, kind and line of each fault."""


def case(**changes: Any) -> Callable[[Callable[[], Pairs]], Callable[[], Pairs]]:
    """Mark a function as a case; `changes` are fields of WatchOptions besides every check."""

    def mark(function: Callable[[], Pairs]) -> Callable[[], Pairs]:
        function.watch_options = WatchOptions.everything(**changes)  # type: ignore[attr-defined]
        return function

    return mark


def rejected_when_compiled(function: Callable[[], Pairs]) -> Callable[[], Pairs]:
    """Mark a case whose kernel the interpreter takes and the compiler does not: its business."""
    function.on_gpu = "rejected"  # type: ignore[attr-defined]
    return function


def without_storage(function: Callable[[], Pairs]) -> Callable[[], Pairs]:
    """Mark a case whose tensors have no storage: no GPU can run it."""
    function.on_gpu = "impossible"  # type: ignore[attr-defined]
    return function


def collect() -> list[Case]:
    """Return the cases of all files in `kernels`."""
    found = []
    for module in pkgutil.iter_modules([str(FOLDER)]):
        loaded = importlib.import_module(f"{__package__}.kernels.{module.name}")
        found += _cases_of(loaded)
    return found


def _cases_of(module: Any) -> list[Case]:
    lines = Path(module.__file__).read_text().splitlines()
    functions = [value for value in vars(module).values() if hasattr(value, "watch_options")]
    found, start = [], 1
    for function in sorted(functions, key=lambda it: it.__code__.co_firstlineno):
        first = function.__code__.co_firstlineno
        end = next(
            (
                number
                for number in range(first + 2, len(lines) + 1)
                if lines[number - 1][:1].strip()
            ),
            len(lines) + 1,
        )
        name = f"{module.__name__.rpartition('.')[2]}.{function.__name__}"
        marked = _marked(Path(module.__file__), lines[start - 1 : end - 1], start)
        helper = getattr(function, "helper", None)
        if helper is not None:
            marked |= _marked(helper, helper.read_text().splitlines(), 1)
        found.append(Case(name, function, function.watch_options, frozenset(marked)))
        start = end
    return found


def _marked(path: Path, lines: list[str], start: int) -> set[tuple[str, str, int]]:
    return {
        (path.name, kind, start + number)
        for number, line in enumerate(lines)
        for kind in MARKER.findall(line)
    }
