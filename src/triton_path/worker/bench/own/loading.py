"""Reads a person's file and finds the parts of the protocol in it.

inputs() or inputs(device)     a dict of tensors by argument name, or a tuple in the order of eager
small_inputs(device)           optional: what the interpreter checks where no GPU is
eager(...)                     the chain as it is; returns a tensor or several
candidate...(...)              any number: functions whose names begin so, or `candidates = [...]`
reference(...)                 optional: the chain for float64 arguments
"""

from __future__ import annotations

import inspect
import sys
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any

import torch

from triton_path.jobs.bench_file import FileTrouble
from triton_path.worker.own_frames import short_traceback

if TYPE_CHECKING:
    from collections.abc import Callable
    from pathlib import Path

PREFIX = "candidate"
STARTER = "triton-path bench new"


class WrongFile(Exception):
    """The file cannot be benched; `trouble` says why."""

    def __init__(self, message: str, *, detail: str = "", mend: str = "") -> None:
        super().__init__(message)
        self.trouble = FileTrouble(message=message, detail=detail, mend=mend)


@dataclass(frozen=True)
class OwnFile:
    """The parts of a file."""

    path: Path
    about: str
    """First line of its docstring."""
    inputs: Callable[..., Any]
    small_inputs: Callable[..., Any] | None
    eager: Callable[..., Any]
    candidates: dict[str, Callable[..., Any]]
    reference: Callable[..., Any] | None

    @property
    def names(self) -> list[str]:
        """Parameters of `eager`, in order."""
        return list(inspect.signature(self.eager).parameters)


def load(path: Path) -> OwnFile:
    """Run the file as a module and return its parts. Raises WrongFile."""
    sys.argv = [str(path)]
    sys.path.insert(0, str(path.parent))
    module = type(sys)(path.stem)
    module.__file__ = str(path)
    sys.modules[module.__name__] = module
    try:
        code = compile(path.read_text(encoding="utf-8"), str(path), "exec")
        exec(code, module.__dict__)  # noqa: S102 -- running the person's file is what was asked for
    except (Exception, SystemExit) as fault:
        raise raised(fault, path, f"{path.name} raised when it was imported.") from None
    found = module.__dict__
    about = (found.get("__doc__") or "").strip().splitlines()
    return OwnFile(
        path=path,
        about=about[0] if about else f"the chain of {path.name}",
        inputs=_needed(found, "inputs", path, "def inputs(device): return {'x': torch.randn(...)}"),
        small_inputs=found.get("small_inputs"),
        eager=_needed(found, "eager", path, "def eager(x): return ..."),
        candidates=_candidates(found, path),
        reference=found.get("reference"),
    )


def _needed(found: dict[str, Any], name: str, path: Path, mend: str) -> Callable[..., Any]:
    function = found.get(name)
    if not callable(function):
        raise WrongFile(f"{path.name} has no function `{name}`.", mend=mend)
    checked: Callable[..., Any] = function
    return checked


def _candidates(found: dict[str, Any], path: Path) -> dict[str, Callable[..., Any]]:
    listed = found.get(f"{PREFIX}s")
    if listed is None:
        return {
            name: value
            for name, value in found.items()
            if name.startswith(PREFIX) and inspect.isroutine(value)
        }
    if not isinstance(listed, list | tuple) or not all(map(callable, listed)):
        raise WrongFile(f"`candidates` of {path.name} is no list of functions.")
    return {_name(value, number): value for number, value in enumerate(listed, start=1)}


def _name(function: Any, number: int) -> str:
    name = getattr(function, "__name__", "")
    return name if name and name != "<lambda>" else f"candidate {number}"


def draw(own: OwnFile, function: Callable[..., Any], device: str) -> dict[str, Any]:
    """Return the arguments by name, on `device`. Raises WrongFile."""
    name = getattr(function, "__name__", "inputs")
    torch.manual_seed(0)
    try:
        takes = bool(inspect.signature(function).parameters)
        given = function(device) if takes else function()
    except (Exception, SystemExit) as fault:
        text = str(fault).lower()
        mend = ""
        if device != "cuda" and ("cuda" in text or "nvidia" in text):
            mend = f"take the device: def {name}(device): ... torch.randn(..., device=device)"
        raise raised(fault, own.path, f"{name}() raised on {device}.", mend) from None
    arguments = _by_name(own, name, given)
    if not any(isinstance(value, torch.Tensor) for value in arguments.values()):
        raise WrongFile(f"{name}() returned no tensor.", mend="return {'x': torch.randn(...)}")
    return {
        key: value.to(device) if isinstance(value, torch.Tensor) else value
        for key, value in arguments.items()
    }


def _by_name(own: OwnFile, name: str, given: Any) -> dict[str, Any]:
    names = own.names
    if isinstance(given, dict):
        arguments = dict(given)
    else:
        values = list(given) if isinstance(given, tuple | list) else [given]
        if len(values) > len(names):
            raise WrongFile(
                f"{name}() returned {len(values)} values; eager takes {len(names)}: "
                f"{', '.join(names)}."
            )
        arguments = dict(zip(names, values, strict=False))
    try:
        inspect.signature(own.eager).bind(**arguments)
    except TypeError as fault:
        raise WrongFile(
            f"eager cannot take what {name}() returned: {fault}.",
            mend=f"return a dict with the keys {', '.join(names)}",
        ) from None
    return arguments


def raised(fault: BaseException, path: Path, message: str, mend: str = "") -> WrongFile:
    """Return the fault for what the person's own code raised."""
    fault.__context__ = None  # what was tried before is ours
    return WrongFile(message, detail=short_traceback(fault, path), mend=mend)


def tried(own: OwnFile, arguments: dict[str, Any]) -> Any:
    """Call eager once. Raises WrongFile where that raises, or returns no tensor."""
    from triton_path.worker.bench.chain import as_tuple

    try:
        with torch.no_grad():
            result = own.eager(**arguments)
    except torch.OutOfMemoryError:
        raise
    except (Exception, SystemExit) as fault:
        raise raised(fault, own.path, "eager() raised.") from None
    if not as_tuple(result):
        raise WrongFile("eager() returned no tensor.", mend="return the tensor that is wanted")
    return result
