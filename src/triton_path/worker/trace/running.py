"""Runs a file as a script, or calls a function of it, for as long as it may take."""

from __future__ import annotations

import contextlib
import inspect
import signal
import sys
import traceback
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triton_path.jobs.trace import TraceJob


class TimeIsUp(BaseException):
    """The file has run for long enough; no `except Exception` of its own should stop this."""


@dataclass
class Running:
    """A file that runs, ran or was stopped."""

    job: TraceJob
    names: dict[str, Any] = field(default_factory=dict)
    """The file's globals."""
    called: str = ""
    raised: str = ""
    out_of_time: bool = False
    finished: bool = False
    """Whether it came to its end by itself, by an exception too."""
    trouble: Any = ""

    def run(self, launched: Callable[[], int]) -> None:
        """Run it; without a launch and without a function asked for, call its `main()`.

        `launched` tells how many launches there were. A kernel's fault passes through.
        """
        from triton_path.worker.watch import KernelStopped

        path = Path(self.job.path)
        try:
            with _time_limit(self.job.seconds):
                self._run(path, launched)
        except KernelStopped:
            raise
        except TimeIsUp:
            self.out_of_time = True
        except SystemExit as leaving:
            if leaving.code not in (None, 0):
                self.raised = f"SystemExit: {leaving.code}"
        except BaseException as fault:
            self.raised = short_traceback(fault, path)
        self.finished = True

    def _run(self, path: Path, launched: Callable[[], int]) -> None:
        sys.argv = [str(path)]
        sys.path.insert(0, str(path.parent))
        wanted = self.job.function
        module = type(sys)("__main__" if wanted is None else path.stem)
        module.__file__ = str(path)
        sys.modules[module.__name__] = module
        self.names = module.__dict__
        # Not runpy.run_path: it empties the module when it is done, and its functions are needed.
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)  # noqa: S102
        if wanted is None and not launched() and "main" in self.functions():
            wanted = "main"
        if wanted is not None:
            self._call(wanted)

    def _call(self, name: str) -> None:
        function = self.names.get(name)
        if name in self.kernels():
            self.trouble = "is a kernel"
        elif not callable(function):
            self.trouble = "no such function"
        elif name not in self.functions() and inspect.isfunction(function):
            self.trouble = "needs arguments"
        else:
            self.called = name
            function()

    def kernels(self) -> tuple[str, ...]:
        """Return the names of the file's `@triton.jit` functions."""
        from triton_path.worker.triton_private.names import InterpretedFunction

        found: dict[str, None] = {}
        for value in list(self.names.values()):
            inner = value
            while inner is not None and not isinstance(inner, InterpretedFunction):
                inner = (
                    getattr(inner, "fn", None) if type(inner).__module__[:6] == "triton" else None
                )
            if inner is not None:
                found[inner.fn.__name__] = None
        return tuple(found)

    def functions(self) -> tuple[str, ...]:
        """Return the names of the file's own functions that need no arguments."""
        return tuple(
            name
            for name, value in self.names.items()
            if inspect.isfunction(value)
            and value.__code__.co_filename == self.job.path
            and all(
                parameter.default is not parameter.empty
                or parameter.kind in (parameter.VAR_POSITIONAL, parameter.VAR_KEYWORD)
                for parameter in inspect.signature(value).parameters.values()
            )
        )


@contextlib.contextmanager
def _time_limit(seconds: float) -> Iterator[None]:
    def stop(_signal: int, _frame: object) -> None:
        raise TimeIsUp

    previous = signal.signal(signal.SIGALRM, stop)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


def short_traceback(fault: BaseException, path: Path) -> str:
    """Return the traceback of `fault` with the frames of the file and its neighbours alone."""
    shown = traceback.TracebackException.from_exception(fault)
    part: traceback.TracebackException | None = shown
    while part is not None:
        own = [frame for frame in part.stack if _is_own(Path(frame.filename), path)]
        part.stack = traceback.StackSummary.from_list(own)
        part = part.__cause__ or part.__context__
    return "".join(shown.format()).rstrip()


def _is_own(file: Path, path: Path) -> bool:
    near = file.is_relative_to(path.parent) and "site-packages" not in file.parts
    return file == path or (near and not file.is_relative_to(Path(__file__).parents[2]))
