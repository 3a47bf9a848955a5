"""The command line of `triton-path trace`, read from its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.errors import UsageFault, unknown_name

if TYPE_CHECKING:
    from triton_path.course.gpus import Gpu, GpuTable

EXAMPLE = "triton-path trace add.py"
FUNCTION = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class Request:
    """What was asked for, checked."""

    path: Path
    function: str | None
    kernel: str | None
    everything: bool
    gpu: Gpu
    table: GpuTable
    program: int | None
    """Linear id of the program whose part is shown."""

    @property
    def command(self) -> str:
        """The command for the file alone."""
        return f"triton-path trace {shown_path(self.path)}"


def parse_request(
    where: str,
    *,
    kernel: str | None,
    everything: bool,
    target: str,
    program: str | None,
    table: GpuTable,
) -> Request:
    """Read a whole command line. Raises UsageFault."""
    path, function = parse_where(where)
    number = None if program is None else parse_program(program)
    return Request(path, function, kernel, everything, table.find(target), table, number)


def parse_where(text: str) -> tuple[Path, str | None]:
    """Read FILE or FILE:FUNCTION. Raises UsageFault unless the file is Python."""
    path, function = Path(text), None
    if not path.exists() and ":" in text:
        before, _, after = text.rpartition(":")
        path, function = Path(before), after or None
        if after and not FUNCTION.fullmatch(after):
            raise UsageFault(f"'{after}' is no name of a function.", hint=f"{EXAMPLE}:main")
    if path.is_dir():
        raise UsageFault(f"'{path}' is a folder; name a Python file.", hint=EXAMPLE)
    if not path.is_file():
        folder = path.parent
        near = sorted(item.name for item in folder.glob("*.py")) if folder.is_dir() else []
        raise unknown_name("file", str(path), near, EXAMPLE)
    _check_python(path)
    return path.resolve(), function


def _check_python(path: Path) -> None:
    try:
        compile(path.read_text(encoding="utf-8"), str(path), "exec")
    except UnicodeDecodeError as fault:
        line = path.read_bytes()[: fault.start].count(b"\n") + 1
        message = f"'{path}' is not UTF-8: line {line} has the byte {fault.object[fault.start]:#x}."
        raise UsageFault(message, hint=EXAMPLE) from None
    except SyntaxError as fault:
        message = f"'{path}' is not Python: line {fault.lineno}: {fault.msg}."
        raise UsageFault(message, hint=EXAMPLE) from None
    except ValueError as fault:  # null bytes
        raise UsageFault(f"'{path}' is not Python: {fault}.", hint=EXAMPLE) from None
    except OSError as fault:
        message = f"'{path}' cannot be read: {fault.strerror}."
        raise UsageFault(message, hint=f"ls -l {path}") from None


def parse_program(text: str) -> int:
    """Read the linear id of a program. Raises UsageFault."""
    if not text.isdecimal() or len(text) > 10:
        raise UsageFault(
            f"'{text}' is no program: write its position in the grid, 0 for the first.",
            hint=f"{EXAMPLE} --program 0",
        )
    return int(text)


def shown_path(path: Path) -> str:
    """Return a path as it is typed: from the current folder where it lies below it."""
    here = Path.cwd()
    return str(path.relative_to(here)) if path.is_relative_to(here) else str(path)
