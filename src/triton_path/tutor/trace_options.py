"""The command line of `triton-path trace`, read from its words."""

from __future__ import annotations

import re
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.errors import UsageFault, unknown_name
from triton_path.jobs.trace import HandLaunch
from triton_path.tutor.inspect_options import parse_argument, parse_constant
from triton_path.tutor.trace_plot import parse_plot

if TYPE_CHECKING:
    from collections.abc import Sequence

    from triton_path.course.gpus import Gpu, GpuTable

EXAMPLE = "triton-path trace add.py"
HAND = "--arg x=fp32[1024] --arg n=1024 --set BLOCK=128 --grid 8"
FUNCTION = re.compile(r"[A-Za-z_]\w*")


@dataclass(frozen=True)
class ByHand:
    """The options that make a launch, as they were typed."""

    arguments: Sequence[str] = ()
    constants: Sequence[str] = ()
    grid: str | None = None

    @property
    def given(self) -> bool:
        """Whether there is any."""
        return bool(self.arguments or self.constants or self.grid is not None)


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
    programs: tuple[int, ...] | None = None
    """Those to run, negative ones counted from the end; None: as many as there is time for."""
    by_hand: HandLaunch | None = None
    plot: Path | None = None
    """The file that a figure goes to."""
    script: Path | None = None
    """What is run instead: it calls the file's functions, where the file alone launches nothing."""

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
    programs: str | None = None,
    plot: str | None = None,
    hand: ByHand | None = None,
) -> Request:
    """Read a whole command line. Raises UsageFault, or MissingFault where nothing can be drawn."""
    path, function = parse_where(where)
    number = None if program is None else parse_program(program)
    launch = None
    if hand is not None and hand.given:
        if function is not None and kernel not in (None, function):
            message = f"Two kernels are named, {function} and {kernel}: a launch has one."
            raise UsageFault(message, hint=f"{EXAMPLE}:{function} --arg ...")
        kernel, function = function or kernel, None
        launch = parse_hand(hand, kernel)
    return Request(
        path,
        function,
        kernel,
        everything,
        table.find(target),
        table,
        number,
        programs=None if programs is None else parse_programs(programs),
        by_hand=launch,
        plot=None if plot is None else parse_plot(plot),
    )


def parse_hand(hand: ByHand, kernel: str | None) -> HandLaunch:
    """Read the options that make a launch. Raises UsageFault."""
    if hand.grid is None:
        message = "A launch by --arg and --set also needs its grid, one to three numbers."
        raise UsageFault(message, hint=f"{EXAMPLE}:add {HAND}")
    return HandLaunch(
        kernel=kernel,
        arguments=tuple(map(parse_argument, hand.arguments)),
        constants=dict(map(parse_constant, hand.constants)),
        grid=parse_grid(hand.grid),
    )


def parse_grid(text: str) -> tuple[int, ...]:
    """Read a grid such as 32 or 32,4,1. Raises UsageFault."""
    sizes = [size for size in re.split(r"[\s,x()]+", text) if size]
    numbers = tuple(int(size) for size in sizes if size.isdecimal() and len(size) < 11)
    if len(numbers) != len(sizes) or not 1 <= len(numbers) <= 3 or not all(numbers):
        message = f"'{text}' is no grid: write one to three numbers from 1 on, joined by commas."
        raise UsageFault(message, hint="--grid 32,4,1")
    return numbers


def parse_programs(text: str) -> tuple[int, ...]:
    """Read linear ids such as 0,1,-1. Raises UsageFault."""
    parts = [part.strip() for part in text.split(",")]
    if not all(re.fullmatch(r"-?\d{1,10}", part) for part in parts):
        message = f"'{text}' are no programs: write positions in the grid, -1 for the last."
        raise UsageFault(message, hint=f"{EXAMPLE} --programs 0,1,-1")
    return tuple(map(int, parts))


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
