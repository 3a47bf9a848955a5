"""Proves an exercise: the starter fails, the solution passes, wrong solutions are told apart."""

from __future__ import annotations

import os
import threading
from concurrent.futures import ThreadPoolExecutor
from contextlib import ExitStack
from queue import SimpleQueue
from typing import TYPE_CHECKING

from triton_path.course.exercises import FOLDER
from triton_path.course.faults import Fault, raise_for
from triton_path.errors import unknown_name
from triton_path.jobs.messages import Progress
from triton_path.tutor.checking import BrokenOff, Checker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from triton_path.course.exercises import Exercise, WrongSolution
    from triton_path.jobs.practice import Verdict

FIRST_SEED = 1
MOST_AT_ONCE = 4
"""Exercises; each needs two processes that have imported torch."""


def prove(
    exercises: Sequence[Exercise],
    only: Sequence[str] | None,
    seeds: int,
    on_progress: Callable[[Progress], None],
) -> int:
    """Prove the exercises, or those named in `only`; return how many programs were run.

    Raises CourseFault with all that is wrong, UsageFault for a name that is no exercise, and what
    `Checker.check` raises.
    """
    names = [exercise.id for exercise in exercises]
    for name in only or ():
        if name not in names:
            raise unknown_name("exercise", name, names, "triton-path practice list")
    chosen = [exercise for exercise in exercises if not only or exercise.id in only]
    raise_for(_faults_of_all(chosen, seeds, on_progress))
    return sum(len(files_of(exercise)) for exercise in chosen)


def _faults_of_all(
    exercises: Sequence[Exercise], seeds: int, on_progress: Callable[[Progress], None]
) -> list[Fault]:
    """Prove several exercises at the same time, so that no core waits for another one."""
    at_once = min(MOST_AT_ONCE, os.cpu_count() or 1, len(exercises))
    stopped = threading.Event()
    idle: SimpleQueue[Checker] = SimpleQueue()

    def proof(exercise: Exercise) -> list[Fault]:
        checker = idle.get()
        try:
            return list(faults_of(exercise, checker, seeds=seeds, cancelled=stopped.is_set))
        finally:
            idle.put(checker)

    faults: list[Fault] = []
    with ExitStack() as stack, ThreadPoolExecutor(at_once) as pool:
        for _ in range(at_once):
            checker = stack.enter_context(Checker())
            checker.warm_up()
            idle.put(checker)
        proofs = [pool.submit(proof, exercise) for exercise in exercises]
        try:
            for number, (exercise, told) in enumerate(zip(exercises, proofs, strict=True)):
                text = f"proving {exercise.id}"
                on_progress(Progress(text=text, done=number, total=len(exercises)))
                faults += told.result()
        except BaseException:
            stopped.set()
            pool.shutdown(wait=False, cancel_futures=True)
            raise
    return faults


def faults_of(
    exercise: Exercise,
    checker: Checker,
    *,
    seeds: int,
    cancelled: Callable[[], bool] = lambda: False,
) -> Iterator[Fault]:
    """Check every file of the exercise; the wrong ones with `seeds` different data.

    Raises what `Checker.check` raises.
    """
    about = exercise.about

    def check(path: Path) -> Verdict:
        return checker.check(exercise, path, seed=FIRST_SEED, time_it=False, cancelled=cancelled)

    starter = check(exercise.starter.path)
    yield from _wrong_kind(exercise, "starter.py", starter, about.starter_fault)
    solution = check(exercise.solution.path)
    for finding in solution.findings:
        if not finding.advice or finding.kind not in about.accepts:
            line = finding.place.line if finding.place else 1
            message = f"the solution is told: {finding.kind}: {finding.sentence}"
            yield Fault(f"{FOLDER}/{exercise.id}/solution.py", line, "", message)
    given = {finding.kind for finding in solution.advice}
    for kind in about.accepts:
        if kind not in given:
            message = f"the solution is not given this advice: {kind}"
            yield _fault(exercise, "exercise.yaml", message, "accepts")
    for mistake in about.mistakes:
        path = mistake.file.path
        yield from _of_mistake(exercise, mistake, check(path))
        further = range(FIRST_SEED + 1, FIRST_SEED + seeds)
        if further:
            try:
                lucky = checker.passes_with(exercise, path, further, cancelled=cancelled)
                told = [f"passes with seed {seed}" for seed in lucky]
            except BrokenOff as fault:
                told = [f"could not be tried with {len(further)} further seeds: {fault}"]
            yield from (_fault(exercise, _name(exercise, path), message) for message in told)


def _of_mistake(exercise: Exercise, mistake: WrongSolution, verdict: Verdict) -> Iterator[Fault]:
    path = mistake.file.path
    name = _name(exercise, path)
    wrong = list(_wrong_kind(exercise, name, verdict, mistake.fault))
    yield from wrong
    if not wrong:
        told = verdict.faults[0].diagnosis
        if told is None or told.file != path.name:
            taken = f"taken for {told.file}" if told else "not told by its name"
            yield _fault(exercise, name, f"its mistake is {taken}")


def _wrong_kind(exercise: Exercise, name: str, verdict: Verdict, wanted: str) -> Iterator[Fault]:
    found = verdict.faults[0].kind if verdict.faults else "nothing: it passes"
    if found != wanted:
        yield _fault(exercise, name, f"should fail with {wanted}; the check finds {found}")


def _name(exercise: Exercise, path: Path) -> str:
    return str(path.relative_to(exercise.folder))


def _fault(exercise: Exercise, name: str, message: str, field: str = "") -> Fault:
    return Fault(f"{FOLDER}/{exercise.id}/{name}", 1, field, message)


def files_of(exercise: Exercise) -> list[Path]:
    """Return the programs that a proof runs: starter, solution, wrong solutions."""
    wrong = [mistake.file.path for mistake in exercise.about.mistakes]
    return [exercise.starter.path, exercise.solution.path, *wrong]
