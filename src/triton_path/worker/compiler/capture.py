"""Runs a file to find the launches that it makes; none of them runs."""

from __future__ import annotations

import contextlib
import inspect
import signal
import sys
from dataclasses import dataclass, field
from typing import TYPE_CHECKING, Any, Literal

from triton_path.worker.compiler import private
from triton_path.worker.compiler.standins import cuda_on_cpu

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path

    from triton_path.worker.compiler.targets import Target

SECONDS = 40
"""A file that still runs then is interrupted; what it launched so far counts."""


@dataclass(frozen=True)
class Recorded:
    """A launch that the file asked for."""

    kernel: Any
    """The JITFunction."""
    arguments: tuple[Any, ...]
    named: dict[str, Any]
    """Keyword arguments, options such as num_warps among them."""
    grid: tuple[int, ...] | None
    configurations: int
    """Of the autotuner around the kernel; 0 without one."""
    grid_rule: Any = None
    """The grid as the file gave it: numbers, or a function of the constexprs."""


@dataclass
class Captured:
    """What running the file gave."""

    names: dict[str, Any] = field(default_factory=dict)
    """The file's globals."""
    launches: list[Recorded] = field(default_factory=list)
    found: Literal["by running the file", "by running main()"] = "by running the file"
    fault: BaseException | None = None
    """What the file raised, perhaps after its launches."""
    timed_out: bool = False


class TimeIsUp(BaseException):
    """The file has run for long enough; no `except Exception` of its own should stop this."""


class Enough(BaseException):
    """The launch that was looked for was made: the rest of the file need not run."""


def run_file(path: Path, target: Target, *, call_main: bool = True) -> Captured:
    """Run the file as `python FILE` would; if it launches nothing, call its `main()`.

    With `call_main` False it is imported only: for a launch that is given by hand.
    """
    captured = Captured()
    with recording(captured.launches), cuda_on_cpu(target):
        execute(path, captured, call_main=call_main)
    return captured


def execute(path: Path, captured: Captured, *, call_main: bool) -> None:
    """Run the file in whatever surroundings the caller made; what it raises is kept."""
    sys.argv = [str(path)]
    sys.path.insert(0, str(path.parent))
    with _time_limit():
        try:
            _run(path, "__main__" if call_main else path.stem, captured)
            main = captured.names.get("main")
            if call_main and not captured.launches and callable(main):
                captured.found = "by running main()"
                main()
        except Enough:
            pass
        except TimeIsUp:
            captured.timed_out = True
        except SystemExit as leaving:
            if leaving.code not in (None, 0):
                captured.fault = leaving
        except BaseException as fault:
            captured.fault = fault


def _run(path: Path, name: str, captured: Captured) -> None:
    """Run the file in a module of its own; what it has defined is kept even if it raises."""
    # Not runpy.run_path: it empties the module when it is done, and its functions are needed on.
    code = compile(path.read_bytes(), str(path), "exec")
    module = type(sys)(name)
    module.__file__ = str(path)
    sys.modules[name] = module
    captured.names = module.__dict__
    exec(code, module.__dict__)  # noqa: S102 -- running the person's file is the task


@contextlib.contextmanager
def _time_limit() -> Iterator[None]:
    def stop(_signal: int, _frame: object) -> None:
        raise TimeIsUp

    previous = signal.signal(signal.SIGALRM, stop)
    signal.alarm(SECONDS)
    try:
        yield
    finally:
        signal.alarm(0)
        signal.signal(signal.SIGALRM, previous)


@contextlib.contextmanager
def recording(launches: list[Recorded]) -> Iterator[None]:
    """Record every launch instead of making it, and time nothing."""
    import triton.testing

    tuning: list[int] = []
    run = private.JITFunction.run
    tune = private.Autotuner.run

    def record(kernel: Any, *args: Any, grid: Any, warmup: bool, **named: Any) -> Any:
        configurations = tuning[-1] if tuning else 0
        # Here, so that arguments that do not fit are the fault of the file's own line.
        shown = grid_of(grid, bound(kernel, args, named))
        launches.append(Recorded(kernel, args, named, shown, configurations))
        if warmup:
            # The file wants the compiled kernel: to read its registers, or to launch it.
            return run(kernel, *args, grid=grid, warmup=True, **named)
        return None

    def record_tuned(tuner: Any, *args: Any, **named: Any) -> Any:
        tuning.append(len(tuner.configs))
        try:
            return tune(tuner, *args, **named)
        finally:
            tuning.pop()

    def bench(call: Callable[[], Any], *_: object, **named: Any) -> Any:
        call()
        quantiles = named.get("quantiles")
        return [1.0] * len(quantiles) if quantiles else 1.0

    with (
        private.replaced(private.JITFunction, "run", record),
        private.replaced(private.Autotuner, "run", record_tuned),
        private.replaced(private.Autotuner, "_bench", lambda *_, **__: [1.0, 1.0, 1.0]),
        private.replaced(triton.testing, "do_bench", bench),
        private.replaced(triton.testing, "do_bench_cudagraph", bench),
    ):
        yield


def grid_of(grid: Any, arguments: dict[str, Any]) -> tuple[int, ...] | None:
    """Return the grid as three numbers at most; None where none was given."""
    if callable(grid):
        grid = grid(arguments)
    if grid is None:
        return None
    sizes = grid if isinstance(grid, tuple | list) else (grid,)
    return tuple(int(size) for size in sizes)


def bound(kernel: Any, args: tuple[Any, ...], named: dict[str, Any]) -> dict[str, Any]:
    """Return the kernel's arguments by name, defaults included.

    Raises TypeError where the call does not fit the kernel.
    """
    signature = inspect.signature(kernel.fn)
    own = {name: value for name, value in named.items() if name in signature.parameters}
    values = signature.bind(*args, **own)
    values.apply_defaults()
    return dict(values.arguments)
