"""What follows a check: it is kept, and the learner is told how to go on."""

from __future__ import annotations

from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING

from triton_path.errors import MissingFault
from triton_path.progress.exercises import HINTS, NOTHING
from triton_path.tutor.own_files import is_starter
from triton_path.tutor.practice_standing import NextStep, day_text, in_order, next_step, record
from triton_path.tutor.workspace import is_own

if TYPE_CHECKING:
    from triton_path.course.blocks import Inline
    from triton_path.course.exercises import Exercise
    from triton_path.course.models import Course
    from triton_path.jobs.practice import Verdict
    from triton_path.progress.store import Store
    from triton_path.tutor.practice_standing import Recorded


NOT_OWN = "Not one of your own exercises: your progress is left as it is."


@dataclass(frozen=True)
class After:
    """What is said beside a verdict: the exercise says it, or the learner's progress."""

    learned: Inline = ()
    """What the learner can do after a pass."""
    remark: str = ""
    """What this pass changed."""
    steps: tuple[NextStep, ...] = ()
    """Commands to go on with."""
    unkept: MissingFault | None = None
    """Why the verdict is not in the store."""
    read: str = ""
    """What to read again, in a lesson that is written."""


def keep(course: Course, store: Store, exercise: Exercise, verdict: Verdict) -> After:
    """Keep the verdict in the store and return what to say beside it.

    A file outside of the learner's workspace is somebody else's: its verdict is not kept. Where
    the store cannot be written, it is worth showing all the same: `unkept` says why.
    """
    read = _read_again(course, verdict)
    learned = exercise.about.learned if verdict.passed else ()
    try:
        if not is_own(store, exercise, verdict.file):
            return After(learned, NOT_OWN, read=read)
        return replace(_kept(course, store, exercise, verdict), read=read)
    except MissingFault as fault:
        return After(learned, unkept=fault, read=read)


def _read_again(course: Course, verdict: Verdict) -> str:
    """Return what to read again; nothing where it names a lesson that is not written yet."""
    diagnosis = verdict.faults[0].diagnosis if verdict.faults else None
    if diagnosis is None:
        return ""
    named = diagnosis.read.partition(":")[0]
    planned = {lesson.id for lesson in course.lessons if not lesson.ready}
    return "" if named in planned else diagnosis.read


def _kept(course: Course, store: Store, exercise: Exercise, verdict: Verdict) -> After:
    recorded = record(store, verdict)
    slug = exercise.id
    if verdict.passed:
        solution = f"triton-path practice solution {slug}"
        steps = (next_step(course, store), NextStep(solution, "beside yours"))
        return After(exercise.about.learned, _remark(recorded), steps)
    seen = store.exercises.of(slug).hints
    about = f"hint {seen + 1} of {HINTS}" if seen < HINTS else f"all {HINTS} hints again"
    check = f"triton-path practice check {slug}"
    hint = NextStep(f"triton-path practice hint {slug}", about)
    case = verdict.faults[0].case if verdict.faults else None
    if case is not None and case.fresh:
        again = NextStep(f"{check} --seed {verdict.seed}", "mended? the same sizes again")
    elif is_starter(exercise, Path(verdict.file)):
        # A verdict on what was given says little; what is asked for says more.
        show = NextStep(f"triton-path practice show {slug}", "what it asks for")
        changed = NextStep(check, "once you have changed it")
        return After(steps=(changed, show, hint))
    else:
        again = NextStep(check, "once you have mended it")
    return After(steps=(again, hint))


def farewell(course: Course, store: Store, slug: str) -> str:
    """Return what is said when a learner leaves an exercise: where they are, how to go on."""
    if store.exercises.of(slug).passed:
        return f"{slug} is passed.\n  Next: {next_step(course, store).command}"
    return f"{slug} is not passed yet.\n  Next: triton-path practice watch {slug}"


def following(course: Course, store: Store, slug: str) -> str | None:
    """Return the exercise after `slug` that is not passed, around the end; None if none is left."""
    records = store.exercises.all()
    names = [name for _, name in in_order(course)]
    at = names.index(slug) + 1
    left = (name for name in names[at:] + names[: at - 1] if not records.get(name, NOTHING).passed)
    return next(left, None)


def _remark(recorded: Recorded) -> str:
    if recorded.first_pass and recorded.due is not None:
        day = day_text(recorded.due)
        return f"Passed for the first time. It comes back to be written once more on {day}."
    return "More stars than ever before." if recorded.more_stars else ""


def source_lines(verdict: Verdict) -> dict[str, tuple[str, ...]]:
    """Return the text of every file that the findings name; a file that is gone is left out."""
    found: dict[str, tuple[str, ...]] = {}
    for file in {finding.place.file for finding in verdict.findings if finding.place is not None}:
        try:
            found[file] = tuple(Path(file).read_text(encoding="utf-8").splitlines())
        except (OSError, UnicodeDecodeError):
            continue
    return found
