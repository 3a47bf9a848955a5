"""Runs a file as a script, or calls a function of it, for as long as it may take."""

from __future__ import annotations

import contextlib
import inspect
import signal
import sys
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

from triton_path.worker.own_frames import short_traceback
from triton_path.worker.trace.too_large import too_large

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator

    from triton_path.jobs.trace import HandLaunch, TooLarge, TraceJob


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
    too_large: TooLarge | None = None
    trouble: Any = ""
    detail: str = ""
    """What is wrong with arguments given by hand."""

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
            self.too_large = too_large(fault, path)
            if self.too_large is None:
                self.raised = short_traceback(fault, path)
        self.finished = True

    def _run(self, path: Path, launched: Callable[[], int]) -> None:
        sys.argv = [str(path)]
        sys.path.insert(0, str(path.parent))
        wanted, hand = self.job.function, self.job.by_hand
        module = type(sys)("__main__" if wanted is None and hand is None else path.stem)
        module.__file__ = str(path)
        sys.modules[module.__name__] = module
        self.names = module.__dict__
        # Not runpy.run_path: it empties the module when it is done, and its functions are needed.
        exec(compile(path.read_bytes(), str(path), "exec"), module.__dict__)  # noqa: S102
        if hand is not None:
            self._launch_by_hand(hand)
            return
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
        return tuple(self._kernels())

    def _kernels(self) -> dict[str, Any]:
        """Return the same with what the file launches: the outermost of wrapped ones."""
        from triton_path.worker.triton_private.names import unwrapped

        found: dict[str, Any] = {}
        for value in list(self.names.values()):
            inner = unwrapped(value)
            if inner is not None:
                found.setdefault(inner.fn.__name__, value)
        return found

    def _launch_by_hand(self, hand: HandLaunch) -> None:
        from triton_path.worker.compiler.arguments import WrongArguments
        from triton_path.worker.trace.by_hand import launch

        kernels = self._kernels()
        name = next(iter(kernels)) if hand.kernel is None and len(kernels) == 1 else hand.kernel
        if name not in kernels:
            self.trouble = "which kernel" if hand.kernel is None else "no such kernel"
            return
        try:
            launch(kernels[name], hand)
        except WrongArguments as wrong:
            self.trouble, self.detail = "wrong arguments", str(wrong)

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
