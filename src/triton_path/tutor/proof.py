"""Proves an exercise: the starter fails, the solution passes, wrong solutions are told apart."""

from __future__ import annotations

from typing import TYPE_CHECKING

from triton_path.course.exercises import FOLDER
from triton_path.course.faults import Fault, raise_for
from triton_path.errors import unknown_name
from triton_path.jobs.messages import Progress
from triton_path.tutor.checking import Checker

if TYPE_CHECKING:
    from collections.abc import Callable, Iterator, Sequence
    from pathlib import Path

    from triton_path.course.exercises import Exercise, WrongSolution
    from triton_path.jobs.practice import Verdict

FIRST_SEED = 1


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
    faults: list[Fault] = []
    with Checker() as checker:
        checker.warm_up()
        for number, exercise in enumerate(chosen):
            on_progress(Progress(text=f"proving {exercise.id}", done=number, total=len(chosen)))
            faults += faults_of(exercise, checker, seeds=seeds)
    raise_for(faults)
    return sum(len(files_of(exercise)) for exercise in chosen)


def faults_of(exercise: Exercise, checker: Checker, *, seeds: int) -> Iterator[Fault]:
    """Check every file of the exercise; the wrong ones with `seeds` different data.

    Raises what `Checker.check` raises.
    """
    about = exercise.about
    starter = checker.check(exercise, exercise.starter.path, seed=FIRST_SEED, time_it=False)
    yield from _wrong_kind(exercise, "starter.py", starter, about.starter_fault)
    solution = checker.check(exercise, exercise.solution.path, seed=FIRST_SEED, time_it=False)
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
        yield from _of_mistake(exercise, mistake, checker, seeds)


def _of_mistake(
    exercise: Exercise, mistake: WrongSolution, checker: Checker, seeds: int
) -> Iterator[Fault]:
    path = mistake.file.path
    name = str(path.relative_to(exercise.folder))
    verdict = checker.check(exercise, path, seed=FIRST_SEED, time_it=False)
    wrong = list(_wrong_kind(exercise, name, verdict, mistake.fault))
    yield from wrong
    if not wrong:
        told = verdict.faults[0].diagnosis
        if told is None or told.file != path.name:
            taken = f"taken for {told.file}" if told else "not told by its name"
            yield _fault(exercise, name, f"its mistake is {taken}")
    for seed in range(FIRST_SEED + 1, FIRST_SEED + seeds):
        if not checker.catches(exercise, path, seed):
            yield _fault(exercise, name, f"passes with seed {seed}")


def _wrong_kind(exercise: Exercise, name: str, verdict: Verdict, wanted: str) -> Iterator[Fault]:
    found = verdict.faults[0].kind if verdict.faults else "nothing: it passes"
    if found != wanted:
        yield _fault(exercise, name, f"should fail with {wanted}; the check finds {found}")


def _fault(exercise: Exercise, name: str, message: str, field: str = "") -> Fault:
    return Fault(f"{FOLDER}/{exercise.id}/{name}", 1, field, message)


def files_of(exercise: Exercise) -> list[Path]:
    """Return the programs that a proof runs: starter, solution, wrong solutions."""
    wrong = [mistake.file.path for mistake in exercise.about.mistakes]
    return [exercise.starter.path, exercise.solution.path, *wrong]
