"""Checks a learner's file: two jobs at the same time, one verdict.

The interpreter and the compiler each have a warm worker of their own; what one of them finds is not
kept from being said because the other one crashed.
"""

from __future__ import annotations

import contextlib
import secrets
import tempfile
import time
from dataclasses import replace
from typing import TYPE_CHECKING, TypeVar

from triton_path.errors import MissingFault
from triton_path.jobs.machine import gpu_device_here
from triton_path.jobs.practice import (
    CheckAnswer,
    CheckJob,
    CompileAnswer,
    CompileJob,
    Finding,
    Mistake,
    SeedsAnswer,
    SeedsJob,
    Verdict,
)
from triton_path.jobs.syntax import unparsable
from triton_path.sandbox import Running, Worker, run_all
from triton_path.tutor.own_files import is_starter
from triton_path.tutor.stars import stars
from triton_path.tutor.verdict import ordered, two_faced, what_was_checked

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path
    from types import TracebackType

    from triton_path.course.exercises import Exercise
    from triton_path.jobs.messages import Message, Progress
    from triton_path.sandbox import Ended, Job

MessageT = TypeVar("MessageT", bound="Message")

SEEDS = 1_000_000
MOST_TRIES = 3
"""Checks of a file that is saved again during each."""
START_SECONDS = 60.0
"""For the import of torch, from a cold and busy disk."""
CHECK_SECONDS = 80.0 + START_SECONDS
"""For all cases; the worker itself stops a launch long before that, and names the line."""
COMPILE_SECONDS = 60.0 + START_SECONDS
SEED_SECONDS = 5.0
"""More for each seed that a wrong file is tried with; a tenth of it is usual."""
GPU_SECONDS = 240.0 + START_SECONDS


class Cancelled(Exception):
    """The person did not want to wait any longer."""


class BrokenOff(Exception):
    """A job of a proof crashed or ran out of time, so that it proves nothing."""


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
        wrong = unparsable(path, _content(path) or b"")
        if wrong is not None:  # a worker would import torch first, for seconds
            return _verdict(exercise, path, seed, wrong, wrong, seconds=time.monotonic() - started)
        gpu = gpu_device_here()
        with _folder(wanted=gpu) as kept:
            check_job, compile_job = jobs(exercise, path, seed, kept, time_it=time_it)
            interpreted = Running(
                self._interpreter.submit(check_job, time_limit_s=CHECK_SECONDS), on_progress
            )
            compiled = Running(
                self._compiler.submit(
                    compile_job, time_limit_s=GPU_SECONDS if gpu else COMPILE_SECONDS
                ),
                on_progress if gpu else lambda _: None,
            )
            run_all((interpreted, compiled), cancelled)
        if cancelled():
            raise Cancelled
        checked = _outcome(interpreted, CheckAnswer)
        made = _outcome(compiled, CompileAnswer)
        return _verdict(exercise, path, seed, checked, made, seconds=time.monotonic() - started)

    def passes_with(
        self,
        exercise: Exercise,
        path: Path,
        seeds: Sequence[int],
        *,
        cancelled: Callable[[], bool] = lambda: False,
    ) -> list[int]:
        """Return the seeds with which a check of the wrong file at `path` would pass.

        Raises BrokenOff where that did not come to its end, and what `check` raises.
        """
        check_job, compile_job = jobs(exercise, path, seeds[0], None)
        seeds_job = SeedsJob(
            path=check_job.path,
            reference=check_job.reference,
            grading=check_job.grading,
            seeds=tuple(seeds),
        )
        limit = CHECK_SECONDS + SEED_SECONDS * len(seeds)
        job = self._interpreter.submit(seeds_job, time_limit_s=limit)
        passed = _alone(job, SeedsAnswer, cancelled).passed
        always = replace(compile_job.grading, fresh=())
        if passed and self._refuses(compile_job, cancelled, grading=always):
            return []  # the fixed cases are launched with every seed
        return [seed for seed in passed if not self._refuses(compile_job, cancelled, seed=seed)]

    def _refuses(self, job: CompileJob, cancelled: Callable[[], bool], **changes: object) -> bool:
        """Tell whether the compiler's job finds a fault; `changes` are fields set otherwise."""
        changed = job.model_copy(update=changes)
        running = self._compiler.submit(changed, time_limit_s=COMPILE_SECONDS)
        return _alone(running, CompileAnswer, cancelled).finding is not None


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


def _outcome(running: Running, kind: type[MessageT]) -> MessageT | Finding:
    """Return the answer of a job; a Finding where it crashed or ran out of time.

    Raises MissingFault where it never began: torch was still being imported.
    """
    answer = running.result(kind)
    if answer is not None:
        return answer
    if not running.job.accepted:
        raise MissingFault(
            f"No check began within {running.ended.seconds:.0f} s: torch did not import.",
            "triton-path doctor",
        )
    return _crash(running.ended, "\n".join(running.tail))


def _alone(job: Job, kind: type[MessageT], cancelled: Callable[[], bool]) -> MessageT:
    """Run a job to its end and return its answer. Raises BrokenOff and what `check` raises."""
    running = Running(job)
    run_all([running], cancelled)
    if cancelled():
        raise Cancelled
    outcome = _outcome(running, kind)
    if isinstance(outcome, Finding):
        raise BrokenOff(outcome.sentence)
    return outcome


def _crash(ended: Ended, tail: str) -> Finding:
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
