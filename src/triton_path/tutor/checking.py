"""Checks a learner's file: two jobs at the same time, one verdict.

The interpreter and the compiler each have a warm worker of their own; what one of them finds is not
kept from being said because the other one crashed.
"""

from __future__ import annotations

import contextlib
import secrets
import selectors
import tempfile
import time
from typing import TYPE_CHECKING, TypeVar

from triton_path.errors import MissingFault
from triton_path.jobs.machine import gpu_device_here
from triton_path.jobs.messages import Failure, Progress, Result
from triton_path.jobs.practice import (
    CheckAnswer,
    CheckJob,
    CompileAnswer,
    CompileJob,
    Finding,
    Mistake,
    Verdict,
)
from triton_path.sandbox import Answered, Ended, Job, Output, Worker, taken
from triton_path.tutor.own_files import is_starter
from triton_path.tutor.stars import stars
from triton_path.tutor.verdict import ordered, two_faced, what_was_checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator
    from pathlib import Path
    from types import TracebackType

    from triton_path.course.exercises import Exercise
    from triton_path.jobs.messages import Message

MessageT = TypeVar("MessageT", bound="Message")

SEEDS = 1_000_000
MOST_TRIES = 3
"""Checks of a file that is saved again during each."""
START_SECONDS = 60.0
"""For the import of torch, from a cold and busy disk."""
CHECK_SECONDS = 80.0 + START_SECONDS
"""For all cases; the worker itself stops a launch long before that, and names the line."""
COMPILE_SECONDS = 60.0 + START_SECONDS
GPU_SECONDS = 240.0 + START_SECONDS


class Cancelled(Exception):
    """The person did not want to wait any longer."""


class Checker:
    """Two warm workers; use it as a context manager."""

    def __init__(self) -> None:
        """Prepare; nothing starts before `warm_up` or the first check."""
        self._interpreter = Worker(interpret=True, warm="practice")
        self._compiler = Worker(interpret=False, warm="practice")

    def __enter__(self) -> Checker:
        return self

    def __exit__(
        self, _kind: type[BaseException] | None, _fault: object, _trace: TracebackType | None
    ) -> None:
        self._interpreter.close()
        self._compiler.close()

    def warm_up(self) -> None:
        """Start both workers and return at once."""
        self._interpreter.warm_up()
        self._compiler.warm_up()

    def check(
        self,
        exercise: Exercise,
        path: Path,
        *,
        seed: int | None = None,
        time_it: bool = True,
        on_progress: Callable[[Progress], None] = lambda _: None,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> Verdict:
        """Check the file at `path`, an absolute path, as a solution of the exercise.

        `time_it` times the large case too, where a GPU is: that takes seconds.

        Raises MissingFault where this machine cannot check anything, Cancelled where `cancelled`
        became true, BugFault where the worker's own code raised.
        """
        seed = secrets.randbelow(SEEDS) if seed is None else seed
        for _ in range(MOST_TRIES):
            before = _content(path)
            verdict = self._check(exercise, path, seed, time_it, on_progress, cancelled)
            # The jobs read the file one after the other: a save between them makes two files.
            if _content(path) == before:
                break
        return verdict

    def _check(
        self,
        exercise: Exercise,
        path: Path,
        seed: int,
        time_it: bool,
        on_progress: Callable[[Progress], None],
        cancelled: Callable[[], bool],
    ) -> Verdict:
        started = time.monotonic()
        gpu = gpu_device_here()
        with _folder(wanted=gpu) as kept:
            check_job, compile_job = jobs(exercise, path, seed, kept, time_it=time_it)
            interpreted = _Running(
                self._interpreter.submit(check_job, time_limit_s=CHECK_SECONDS), on_progress
            )
            compiled = _Running(
                self._compiler.submit(
                    compile_job, time_limit_s=GPU_SECONDS if gpu else COMPILE_SECONDS
                ),
                on_progress if gpu else lambda _: None,
            )
            _run_all((interpreted, compiled), cancelled)
        checked = interpreted.result(CheckAnswer)
        made = compiled.result(CompileAnswer)
        return _verdict(exercise, path, seed, checked, made, seconds=time.monotonic() - started)

    def catches(self, exercise: Exercise, path: Path, seed: int) -> bool:
        """Tell whether a check with `seed` fails the file; it ends at the first failing case."""
        check_job, compile_job = jobs(exercise, path, seed, None)
        only = check_job.model_copy(update={"stop_at_first": True, "mistakes": ()})
        running = _Running(self._interpreter.submit(only, time_limit_s=CHECK_SECONDS))
        _run_all((running,))
        checked = running.result(CheckAnswer)
        if isinstance(checked, Finding) or any(not found.advice for found in checked.findings):
            return True
        running = _Running(self._compiler.submit(compile_job, time_limit_s=COMPILE_SECONDS))
        _run_all((running,))
        made = running.result(CompileAnswer)
        return isinstance(made, Finding) or made.finding is not None


def jobs(
    exercise: Exercise, path: Path, seed: int, kept: str | None, *, time_it: bool = False
) -> tuple[CheckJob, CompileJob]:
    """Return the two jobs of a check; `kept` is the folder for results to compare.

    A starter as it was given is nobody's mistake, so none is named for it.
    """
    untouched = is_starter(exercise, path)
    mistakes = tuple(
        Mistake(path=str(m.file.path), name=m.name, read=m.read, fault=m.fault)
        for m in exercise.about.mistakes
        if not untouched
    )
    check_job = CheckJob(
        path=str(path),
        exercise=exercise.id,
        reference=str(exercise.reference.path),
        grading=exercise.about.grading,
        seed=seed,
        mistakes=mistakes,
        keep=kept,
    )
    compile_job = CompileJob(
        path=check_job.path,
        exercise=exercise.id,
        reference=check_job.reference,
        grading=check_job.grading,
        seed=seed,
        mistakes=mistakes,
        time_it=time_it,
        kept=kept,
    )
    return check_job, compile_job


def _content(path: Path) -> bytes | None:
    try:
        return path.read_bytes()
    except OSError:
        return None


@contextlib.contextmanager
def _folder(*, wanted: bool) -> Iterator[str | None]:
    """Give a folder for results that are compared, if it is wanted."""
    if not wanted:
        yield None
        return
    with tempfile.TemporaryDirectory(prefix="triton-path-") as folder:
        yield folder


class _Running:
    """A job on its way, and what came of it."""

    def __init__(self, job: Job, on_progress: Callable[[Progress], None] = lambda _: None) -> None:
        self.job = job
        self._on_progress = on_progress
        self._answer: Result | Failure | None = None
        self._printed = b""
        self._ended: Ended | None = None

    def take(self) -> None:
        """Take what has come, without waiting."""
        for event in self.job.events(wait_s=0):
            if isinstance(event, Output):
                self._printed = (self._printed + event.data)[-20_000:]
            elif isinstance(event, Ended):
                self._ended = event
            elif isinstance(event, Answered):
                if isinstance(event.message, Progress):
                    self._on_progress(event.message)
                else:
                    self._answer = event.message

    def result(self, kind: type[MessageT]) -> MessageT | Finding:
        """Return the answer; a Finding where the job crashed or ran out of time.

        Raises MissingFault where it never began: torch was still being imported.
        """
        answer = taken(self._answer, kind)
        if answer is not None:
            return answer
        assert self._ended is not None
        if not self.job.accepted:
            raise MissingFault(
                f"No check began within {self._ended.seconds:.0f} s: torch did not import.",
                "triton-path doctor",
            )
        return _crash(self._ended, self._printed.decode(errors="replace"))


def _run_all(running: tuple[_Running, ...], cancelled: Callable[[], bool] = lambda: False) -> None:
    """Run jobs to their ends, all at the same time. Raises Cancelled."""
    while any(not one.job.ended for one in running):
        if cancelled():
            for one in running:
                one.job.cancel()
        with selectors.DefaultSelector() as selector:
            for one in running:
                for fd in () if one.job.ended else one.job.waitables():
                    selector.register(fd, selectors.EVENT_READ)
            selector.select(0.05)
        for one in running:
            one.take()
    if cancelled():
        raise Cancelled


def _crash(ended: Ended, printed: str) -> Finding:
    tail = "\n".join(printed.strip().splitlines()[-5:])
    if ended.ending == "time limit":
        return Finding(
            kind="out-of-time",
            stage="crash",
            sentence=f"The check was stopped after {ended.seconds:.0f} s.",
            why="The file, its host code or a kernel did not end by itself.",
            remedy="look for a loop whose condition never changes, or a grid with more programs "
            "than are needed",
            traceback=tail,
        )
    how = f"was ended by {ended.signal_name}" if ended.signal_name else "ended itself"
    return Finding(
        kind="crashed",
        stage="crash",
        sentence=f"The process that ran your file {how} before the check was done.",
        why="Another library's code or a call such as os._exit can do that; a kernel under the "
        "watch cannot.",
        remedy="leave out what is not needed for the kernel, and check again",
        traceback=tail,
    )


def _verdict(
    exercise: Exercise,
    path: Path,
    seed: int,
    checked: CheckAnswer | Finding,
    made: CompileAnswer | Finding,
    *,
    seconds: float,
) -> Verdict:
    findings = list(checked.findings) if isinstance(checked, CheckAnswer) else [checked]
    if isinstance(made, Finding):
        # Host code that does not end stops both jobs, and the interpreter's knows the line.
        if made.kind not in {finding.kind for finding in findings}:
            findings.append(made)
    elif made.finding is not None:
        findings.append(made.finding)
    if isinstance(made, CompileAnswer) and isinstance(checked, CheckAnswer):
        findings += two_faced(checked, made)
    gpu = made.gpu if isinstance(made, CompileAnswer) else None
    findings = ordered(findings)
    passed = all(finding.advice for finding in findings)
    own = gpu.providers[0] if gpu is not None and gpu.providers else None
    return Verdict(
        exercise=exercise.id,
        title=exercise.about.title,
        file=str(path),
        passed=passed,
        stars=stars(passed, own.of_limit if own is not None else None),
        seed=seed,
        findings=tuple(findings),
        cases=checked.cases if isinstance(checked, CheckAnswer) else (),
        planned=checked.planned if isinstance(checked, CheckAnswer) else 0,
        checked=what_was_checked(checked, made),
        tolerance=checked.tolerance if isinstance(checked, CheckAnswer) else "",
        printed=checked.printed if isinstance(checked, CheckAnswer) else (),
        gpu=gpu,
        seconds=seconds,
    )
