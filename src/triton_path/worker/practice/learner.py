"""A learner's file, imported."""

from __future__ import annotations

import inspect
import linecache
import sys
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_path.jobs.practice import Finding
from triton_path.jobs.syntax import not_python
from triton_path.jobs.watch import Place
from triton_path.worker.own_frames import short_traceback
from triton_path.worker.slips import slip_of

if TYPE_CHECKING:
    from collections.abc import Callable

    from triton_path.jobs.grading import Grading

MOST_BYTES = 1 << 20


class CannotImport(Exception):
    """The file gives no function to check; `finding` says why."""

    def __init__(self, finding: Finding) -> None:
        super().__init__(finding.sentence)
        self.finding = finding


@dataclass(frozen=True)
class Learner:
    """The file's module and the function that launches its kernels."""

    path: Path
    module: Any
    entry: Callable[..., Any]


def load(path: Path, grading: Grading) -> Learner:
    """Import the file. Raises CannotImport."""
    text = _read(path)
    module = module_from(path, text)
    entry = getattr(module, grading.entry, None)
    names = [spec.name for spec in grading.tensors]
    call = f"{grading.entry}({', '.join([*names, *grading.scalars])})"
    if not callable(entry):
        raise CannotImport(
            Finding(
                kind="no-entry",
                stage="import",
                sentence=f"{path.name} has no function `{grading.entry}`.",
                why="The check calls it; your kernels are launched from there.",
                remedy=f"define `{call}`, as in the starter: triton-path practice show",
            )
        )
    try:
        inspect.signature(entry).bind(*names, **grading.scalars)
    except TypeError as fault:
        raise CannotImport(
            Finding(
                kind="wrong-signature",
                stage="import",
                sentence=f"`{grading.entry}` cannot be called as {call}: {fault}.",
                remedy="take the parameters that the starter has, in its order",
                place=_def_of(entry),
            )
        ) from fault
    except ValueError:
        pass  # a callable that does not tell its parameters
    return Learner(path, module, entry)


def module_from(path: Path, text: str) -> Any:
    """Run the file's code in a module of its own. Raises CannotImport."""
    module = type(sys)(path.stem)
    module.__file__ = str(path)
    sys.modules[path.stem] = module
    linecache.checkcache(str(path))
    try:
        exec(compile(text, str(path), "exec"), module.__dict__)  # noqa: S102 -- it is the task
    except SyntaxError as fault:
        raise CannotImport(not_python(fault, path, text)) from fault
    except BaseException as fault:
        raise CannotImport(_raised(fault, path)) from fault
    return module


def _read(path: Path) -> str:
    try:
        with path.open("rb") as file:
            data = file.read(MOST_BYTES + 1)
        if len(data) > MOST_BYTES:
            problem = f"is larger than {MOST_BYTES >> 20} MiB"
        else:
            return data.decode("utf-8-sig")
    except UnicodeDecodeError:
        problem = "is not UTF-8 text"
    except OSError as fault:
        problem = f"cannot be read: {fault.strerror}"
    raise CannotImport(
        Finding(kind="does-not-import", stage="import", sentence=f"{path.name} {problem}.")
    )


def _raised(fault: BaseException, path: Path) -> Finding:
    place = place_in(fault, path)
    said, remedy = in_words(str(fault), place)
    return Finding(
        kind="does-not-import",
        stage="import",
        sentence=f"{path.name} raised {type(fault).__name__} when it was imported: {said}",
        remedy=remedy,
        place=place,
        traceback=short_traceback(fault, path),
    )


def in_words(message: str, place: Place | None) -> tuple[str, str]:
    """Return what an exception says and what to do: of a slip what was meant."""
    slip = slip_of(message, place.file, place.line) if place is not None else None
    return (message, "") if slip is None else (slip.sentence, slip.remedy)


def place_in(fault: BaseException, path: Path) -> Place | None:
    """Return the last line of the file that the exception came through."""
    frame, line = fault.__traceback__, 0
    function = ""
    while frame is not None:
        if frame.tb_frame.f_code.co_filename == str(path):
            line, function = frame.tb_lineno, frame.tb_frame.f_code.co_name
        frame = frame.tb_next
    return _place(path, line, function) if line else None


def _def_of(entry: Any) -> Place | None:
    code = getattr(entry, "__code__", None)
    if code is None:
        return None
    return _place(Path(code.co_filename), code.co_firstlineno, code.co_name)


def _place(path: Path, line: int, function: str) -> Place:
    return Place(
        file=str(path),
        line=line,
        end_line=line,
        column=None,
        end_column=None,
        function=function,
        source=linecache.getline(str(path), line).rstrip(),
    )
