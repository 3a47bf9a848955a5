"""Which launch of which kernel is meant, and what to say where that cannot be known."""

from __future__ import annotations

from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_path.jobs.inspect import Trouble
from triton_path.worker.compiler import private
from triton_path.worker.compiler.arguments import WrongArguments, describe, launch_by_hand
from triton_path.worker.compiler.capture import SECONDS
from triton_path.worker.own_frames import short_traceback

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.jobs.inspect import InspectJob
    from triton_path.worker.compiler.capture import Captured, Recorded


class CannotInspect(Exception):
    """There is nothing to report; `trouble` says why."""

    def __init__(self, trouble: Trouble) -> None:
        super().__init__(trouble.message)
        self.trouble = trouble


def launches_of(job: InspectJob, captured: Captured) -> list[Recorded]:
    """Return the distinct launches of the kernel asked for. Raises CannotInspect."""
    launched = {item.kernel.__name__: item.kernel for item in captured.launches}
    defined = _defined(captured, Path(job.path))
    known = tuple({**launched, **defined})
    name = job.kernel
    if captured.fault is not None and not (launched if name is None else name in launched):
        # A name that the file does not hold is wrong whatever else went wrong.
        text = Path(job.path).read_text(encoding="utf-8", errors="replace")
        if name is None or not known or f"def {name}(" in text:
            _raise_fault(captured.fault, Path(job.path))
    if not known:
        message = f"{Path(job.path).name} has no @triton.jit kernel, and launches none"
        message += f"; it was stopped after {SECONDS} s." if captured.timed_out else "."
        raise CannotInspect(Trouble(reason="no kernel", message=message))
    if name is not None and name not in known:
        raise CannotInspect(Trouble(reason="unknown kernel", message=name, names=known))
    if name is None and len(launched) > 1:
        message = f"{Path(job.path).name} launches several kernels: {', '.join(launched)}."
        raise CannotInspect(Trouble(reason="which kernel", message=message, names=tuple(launched)))
    if not launched or (name is not None and name not in launched):
        _raise_not_launched(name, known, defined, captured)
    wanted = name or next(iter(launched))
    distinct: dict[object, Recorded] = {}
    for item in captured.launches:
        if item.kernel.__name__ == wanted:
            distinct.setdefault(signature(item), item)
    return list(distinct.values())


def _raise_not_launched(
    name: str | None, known: Sequence[str], defined: dict[str, Any], captured: Captured
) -> None:
    subject = name or (known[0] if len(known) == 1 else "No kernel of the file")
    parameters: tuple[str, ...] = ()
    kernel = defined.get(name or known[0])
    if kernel is not None and (name or len(known) == 1):
        parameters = parameters_of(kernel)
    late = " within the time it was given" if captured.timed_out else ""
    message = f"{subject} is never launched when the file runs{late}."
    if name is None and len(known) > 1:
        message = f"The file launches none of its kernels{late}: {', '.join(known)}."
    raise CannotInspect(
        Trouble(reason="not launched", message=message, names=tuple(known), parameters=parameters)
    )


def launch_by_options(job: InspectJob, captured: Captured) -> list[Recorded]:
    """Return the launch that the job's arguments make, alone. Raises CannotInspect."""
    path = Path(job.path)
    defined = _defined(captured, path)
    if captured.fault is not None and not defined:
        _raise_fault(captured.fault, path)
    if not defined:
        message = f"{path.name} has no @triton.jit kernel."
        raise CannotInspect(Trouble(reason="no kernel", message=message))
    if job.kernel is None and len(defined) > 1:
        message = f"{path.name} has several kernels: {', '.join(defined)}."
        raise CannotInspect(Trouble(reason="which kernel", message=message, names=tuple(defined)))
    name = job.kernel or next(iter(defined))
    if name not in defined:
        raise CannotInspect(Trouble(reason="unknown kernel", message=name, names=tuple(defined)))
    kernel = defined[name]
    try:
        return [launch_by_hand(kernel, job.arguments, job.constants)]
    except WrongArguments as fault:
        raise CannotInspect(
            Trouble(reason="arguments", message=str(fault), parameters=parameters_of(kernel))
        ) from fault


def _defined(captured: Captured, path: Path) -> dict[str, Any]:
    """Return the jitted functions of the file itself, those that another one calls at the end."""
    found: dict[str, Any] = {}
    for value in list(captured.names.values()):
        kernel = private.jit_function(value)
        if kernel is not None and Path(private.source_file(kernel)) == path:
            found[kernel.__name__] = kernel
    bodies = {name: private.source_text(kernel) for name, kernel in found.items()}

    def is_called(name: str) -> bool:
        return any(f"{name}(" in text for other, text in bodies.items() if other != name)

    return dict(sorted(found.items(), key=lambda item: is_called(item[0])))


def parameters_of(kernel: Any) -> tuple[str, ...]:
    """Return the names of the parameters; constexprs end in `*`."""
    return tuple(p.name + "*" * p.is_constexpr for p in kernel.params)


def signature(item: Recorded) -> object:
    """Return what tells launches apart: arguments in words, and options."""
    options = sorted((k, repr(v)) for k, v in item.named.items() if k.startswith("num_"))
    return (*((a.text, a.specialised) for a in describe(item)), *options)


def numbered(launches: Sequence[Recorded], number: int) -> Recorded:
    """Return a launch by its number, from 1 on. Raises CannotInspect."""
    if not 1 <= number <= len(launches):
        message = f"There is no launch {number}: {len(launches)} distinct were found."
        raise CannotInspect(Trouble(reason="no such launch", message=message))
    return launches[number - 1]


def _raise_fault(fault: BaseException, path: Path) -> None:
    message = f"{path.name} raised {type(fault).__name__} before a launch was found."
    if isinstance(fault, SystemExit):
        message = f"{path.name} left with exit code {fault.code} before a launch was found."
    text = short_traceback(fault, path)
    raise CannotInspect(Trouble(reason="raised", message=message, traceback=text))
